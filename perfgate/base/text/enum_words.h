// SPDX-License-Identifier: Apache-2.0
// enum_words.h: the words that enumerations have in files, reports and messages.
//
// Directly behind an enumeration stands its table:
//
//   constexpr EnumWords<2> enum_words(Direction) { return {"direction", {"lower", "higher"}}; }
//
// Word i belongs to value i, so it lists the enumerators in their order of declaration.
#pragma once

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "perfgate/base/error.h"

namespace perfgate::inline base {

template <std::size_t N>
struct EnumWords {
  std::string_view what;  // the noun of messages: "unknown direction \"down\""
  std::array<std::string_view, N> words;
};

template <class E>
concept HasWords = requires(E value) {
  enum_words(value);
};

template <HasWords E>
inline constexpr auto kEnumWords = enum_words(E{});

template <HasWords E>
std::string_view to_string(E value) {
  const auto index = static_cast<std::size_t>(value);
  if (index >= kEnumWords<E>.words.size()) {
    throw std::logic_error("no such " + std::string(kEnumWords<E>.what) + ": " +
                           std::to_string(index));
  }
  return kEnumWords<E>.words[index];
}

// Error(kData): unknown direction "down"; valid: lower, higher.
[[noreturn]] void refuse_word(std::string_view what, std::string_view word,
                              std::span<const std::string_view> valid);

// Throws Error(kData) naming the valid words.
template <HasWords E>
E parse_enum(std::string_view word) {
  constexpr auto& words = kEnumWords<E>.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<E>(i);
  }
  refuse_word(kEnumWords<E>.what, word, words);
}

}  // namespace perfgate::inline base
