// SPDX-License-Identifier: Apache-2.0
// metric.h: what a number means: its unit, which way is better, and how two of them are compared.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline evidence {

enum class Direction { kLower, kHigher };  // which way is better

// Times and rates are positive and compared as log ratios. Counts and scores may be 0 or negative
// and are compared as differences, in their own unit.
enum class Kind { kTime, kRate, kCount, kScore };

struct Metric {
  std::string name = "real_time";
  std::string unit = "s";
  Direction direction = Direction::kLower;
  Kind kind = Kind::kTime;

  bool operator==(const Metric&) const = default;
};

// True where arms are compared by log ratio, so that tolerances and effects are fractions.
inline bool is_relative(Kind kind) { return kind == Kind::kTime || kind == Kind::kRate; }

// "lower"/"higher" and "time"/"rate"/"count"/"score", as files and the worker protocol spell them.
// The parsers throw Error(kData) naming the valid words.
std::string_view to_string(Direction direction);
std::string_view to_string(Kind kind);
Direction parse_direction(std::string_view word);
Kind parse_kind(std::string_view word);

}  // namespace perfgate::inline evidence

namespace perfgate {

template <>
struct EnumWords<Direction> {
  static constexpr std::string_view kWhat = "direction";
  static constexpr std::array<std::string_view, 2> kWords = {"lower", "higher"};
};

template <>
struct EnumWords<Kind> {
  static constexpr std::string_view kWhat = "kind of metric";
  static constexpr std::array<std::string_view, 4> kWords = {"time", "rate", "count", "score"};
};

}  // namespace perfgate
