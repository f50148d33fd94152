// SPDX-License-Identifier: Apache-2.0
// enum_words.h: the words that enumerations have in files, reports and messages.
//
// Word i belongs to value i, so the tables list the enumerators in their order of declaration.
#pragma once

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "perfgate/error.h"
#include "perfgate/evidence/metric.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate {

// kWhat: the noun of messages ("unknown direction \"down\""); kWords: the words.
template <class E>
struct EnumWords;

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

template <>
struct EnumWords<DriverKind> {
  static constexpr std::string_view kWhat = "driver";
  static constexpr std::array<std::string_view, 3> kWords = {"worker", "process_per_case",
                                                             "process_per_suite"};
};

template <>
struct EnumWords<FaultKind> {
  static constexpr std::string_view kWhat = "fault";
  static constexpr std::array<std::string_view, 15> kWords = {
      "skipped",    "error",    "crashed",       "exited",   "timeout", "bad_value",
      "no_output",  "protocol", "absent",        "leftover", "launch",  "too_many_threads",
      "unmeasured", "invalid",  "other_workload"};
};

template <>
struct EnumWords<Verdict> {
  static constexpr std::string_view kWhat = "verdict";
  static constexpr std::array<std::string_view, 11> kWords = {
      "invalid",      "failed",        "regression",  "not_comparable", "missing", "suspected",
      "inconclusive", "no_regression", "improvement", "skipped",        "new"};
};

template <>
struct EnumWords<Claim> {
  static constexpr std::string_view kWhat = "claim";
  static constexpr std::array<std::string_view, 6> kWords = {
      "invalid", "insufficient", "strong", "directional", "parity", "noise_dominated"};
};

// Exit is the one enumeration that files hold as its number.
inline constexpr std::array<Exit, 11> kExitCodes = {
    Exit::kPass,          Exit::kRegression, Exit::kFailed,    Exit::kInconclusive,
    Exit::kNotComparable, Exit::kInvalid,    Exit::kSuspected, Exit::kUsage,
    Exit::kData,          Exit::kInternal,   Exit::kSkipped};

template <class E>
std::string_view enum_word(E value) {
  const auto index = static_cast<std::size_t>(value);
  if (index >= EnumWords<E>::kWords.size()) {
    throw std::logic_error("no such " + std::string(EnumWords<E>::kWhat) + ": " +
                           std::to_string(index));
  }
  return EnumWords<E>::kWords[index];
}

// "lower, higher"
std::string join_words(std::span<const std::string_view> words);

// Throws Error(kData) naming the valid words.
template <class E>
E parse_enum(std::string_view word) {
  constexpr auto& words = EnumWords<E>::kWords;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<E>(i);
  }
  throw Error(Exit::kData, "unknown " + std::string(EnumWords<E>::kWhat) + " \"" +
                               std::string(word) + "\"; valid: " + join_words(words));
}

}  // namespace perfgate
