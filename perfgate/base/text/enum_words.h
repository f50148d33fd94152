// SPDX-License-Identifier: Apache-2.0
// enum_words.h: the words that enumerations have in files, reports and messages.
//
// Each table stands beside its enumeration. Word i belongs to value i, so it lists the enumerators
// in their order of declaration.
#pragma once

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "perfgate/base/error.h"

namespace perfgate::inline base {

// kWhat: the noun of messages ("unknown direction \"down\""); kWords: the words.
template <class E>
struct EnumWords;

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

}  // namespace perfgate::inline base
