// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/case_keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "perfgate/base/text/join.h"

namespace perfgate::inline verdict {
namespace {

std::vector<std::string> PartsOf(std::string_view name) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t slash = name.find('/');
    parts.emplace_back(name.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

std::optional<double> NumberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// "value" of "key:value".
std::optional<std::string_view> ValueIn(std::string_view part, std::string_view key) {
  const bool has = part.size() > key.size() + 1 && part.starts_with(key) && part[key.size()] == ':';
  return has ? std::optional(part.substr(key.size() + 1)) : std::nullopt;
}

// "value" of "key<value>".
std::optional<std::string_view> ArgumentIn(std::string_view part, std::string_view key) {
  const bool has = part.size() > key.size() + 2 && part.starts_with(key) &&
                   part[key.size()] == '<' && part.ends_with('>');
  return has ? std::optional(part.substr(key.size() + 1, part.size() - key.size() - 2))
             : std::nullopt;
}

// The rest of a name; where nothing is left, the key names it.
std::string Joined(const std::vector<std::string>& parts, std::string_view key) {
  return parts.empty() ? std::string(key) : Join(parts, "/");
}

}  // namespace

std::optional<KeyedName> SplitByKey(std::string_view name, std::string_view key) {
  std::vector<std::string> parts = PartsOf(name);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (const auto value = ValueIn(*part, key)) {
      KeyedName keyed{.name = {}, .value = std::string(*value)};
      parts.erase(part);
      keyed.name = Joined(parts, key);
      return keyed;
    }
    if (const auto value = ArgumentIn(*part, key)) {
      KeyedName keyed{.name = {}, .value = std::string(*value)};
      *part = key;
      keyed.name = Joined(parts, key);
      return keyed;
    }
  }
  return std::nullopt;
}

std::vector<std::string> ValuesOfKey(std::span<const std::string> names, std::string_view key) {
  std::vector<std::string> values;
  for (const std::string& name : names) {
    const auto keyed = SplitByKey(name, key);
    if (!keyed || std::find(values.begin(), values.end(), keyed->value) != values.end()) continue;
    values.push_back(keyed->value);
  }
  return values;
}

std::optional<SizedName> SplitBySize(std::string_view name, std::string_view key) {
  std::vector<std::string> parts = PartsOf(name);
  for (auto part = parts.end(); part != parts.begin();) {
    --part;
    const std::optional<std::string_view> text =
        key == kLastNumber ? std::string_view(*part) : ValueIn(*part, key);
    const std::optional<double> size = text ? NumberIn(*text) : std::nullopt;
    if (!size) continue;
    parts.erase(part);
    return SizedName{.series = Joined(parts, key), .size = *size};
  }
  return std::nullopt;
}

}  // namespace perfgate::inline verdict
