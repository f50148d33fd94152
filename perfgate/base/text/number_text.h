// SPDX-License-Identifier: Apache-2.0
// number_text.h: a number at the start of a text, whatever the locale.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace perfgate::inline base {

inline std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// The finite number that the text starts with, and what follows it, trimmed.
inline std::optional<std::pair<double, std::string_view>> leading_number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  return std::pair(value, trimmed(text.substr(static_cast<std::size_t>(end - text.data()))));
}

}  // namespace perfgate::inline base
