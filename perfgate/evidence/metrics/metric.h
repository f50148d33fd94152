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

constexpr EnumWords<2> enum_words(Direction) { return {"direction", {{"lower", "higher"}}}; }

constexpr EnumWords<4> enum_words(Kind) {
  return {"kind of metric", {{"time", "rate", "count", "score"}}};
}

struct Metric {
  std::string name = "real_time";
  std::string unit = "s";
  Direction direction = Direction::kLower;
  Kind kind = Kind::kTime;

  bool operator==(const Metric&) const = default;
};

// True where arms are compared by log ratio, so that tolerances and effects are fractions.
inline bool is_relative(Kind kind) { return kind == Kind::kTime || kind == Kind::kRate; }

}  // namespace perfgate::inline evidence
