// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "perfgate/base/text/case_pattern.h"
#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::report {
namespace {

constexpr std::string_view kEllipsis = "...";

std::string escaped_byte(char c) {
  if (c == '\t') return "\\t";
  if (c == '\n') return "\\n";
  return EscapedByte(c);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::size_t distinct(const std::vector<std::string>& texts) {
  return std::set<std::string_view>(texts.begin(), texts.end()).size();
}

std::vector<std::string_view> split(std::string_view name) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = name.find('/');
    parts.push_back(name.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

// Positions whose part is the same in every name of the family, those nearest the middle first. The
// family itself stays.
std::vector<std::size_t> shared_parts(const std::vector<std::vector<std::string_view>>& all,
                                      std::size_t index) {
  const auto& name = all[index];
  std::vector<std::size_t> shared;
  for (std::size_t p = 1; p < name.size(); ++p) {
    const bool same = std::all_of(all.begin(), all.end(), [&](const auto& other) {
      return other[0] != name[0] || other.size() != name.size() || other[p] == name[p];
    });
    if (same) shared.push_back(p);
  }
  const auto from_middle = [&](std::size_t p) {
    return std::abs(2 * static_cast<long>(p) - static_cast<long>(name.size()));
  };
  std::stable_sort(shared.begin(), shared.end(),
                   [&](std::size_t a, std::size_t b) { return from_middle(a) < from_middle(b); });
  return shared;
}

// The name with one ellipsis for every run of parts left out, as few of them as the width allows.
std::string without_parts(const std::vector<std::string_view>& parts,
                          const std::vector<std::size_t>& may_go, std::size_t width) {
  std::vector<bool> gone(parts.size(), false);
  for (std::size_t count = 0;; ++count) {
    std::string name;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (gone[p] && gone[p - 1]) continue;
      name += p == 0 ? "" : "/";
      name += gone[p] ? kEllipsis : parts[p];
    }
    if (name.size() <= width || count == may_go.size()) return name;
    gone[may_go[count]] = true;
  }
}

// Keeps the family whole where it leaves half of the width to the rest: what is timed comes first.
std::string shortened_after_family(const std::string& text, std::size_t width) {
  if (text.size() <= width || width <= kEllipsis.size()) return shortened(text, width);
  const std::size_t family = std::min(text.find('/'), text.size() - 1) + 1;
  const std::size_t kept = width - kEllipsis.size();
  return shortened(text, width,
                   static_cast<double>(std::min(family, width / 2)) / static_cast<double>(kept));
}

// After the family; texts that become equal there are cut elsewhere, where one stays different.
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, std::size_t width) {
  std::vector<std::string> result;
  std::map<std::string, std::set<std::string>> meant;  // by a shortened text
  for (const std::string& text : texts) {
    result.push_back(shortened_after_family(text, width));
    meant[result.back()].insert(text);
  }
  constexpr std::array kHeads = {0.1, 0.0, 0.3, 0.5, 0.7, 0.9, 0.2, 0.4, 0.6, 0.8, 1.0};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (meant[result[i]].size() == 1) continue;
    for (const double head : kHeads) {
      const std::string other = shortened(texts[i], width, head);
      const auto taken = meant.find(other);
      if (taken != meant.end() && !(taken->second == std::set<std::string>{texts[i]})) continue;
      meant[result[i]].erase(texts[i]);
      meant[other].insert(texts[i]);
      result[i] = other;
      break;
    }
  }
  return result;
}

}  // namespace

std::string escaped_ascii(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length > 1) {
      result += WrittenCharacter(text.substr(at, length));
    } else if (length == 0 || is_control(text[at])) {
      result += escaped_byte(text[at]);
    } else {
      result += text[at] == '\\' ? "\\\\" : std::string(1, text[at]);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string escaped_controls(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || is_control(text[at])) {
      result += escaped_byte(text[at]);
    } else {
      result += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t width, double head) {
  if (text.size() <= width) return std::string(text);
  if (width <= kEllipsis.size()) return std::string(text.substr(0, width));
  const std::size_t kept = width - kEllipsis.size();
  const auto front = static_cast<std::size_t>(std::lround(static_cast<double>(kept) * head));
  return std::string(text.substr(0, front)) + std::string(kEllipsis) +
         std::string(text.substr(text.size() - (kept - front)));
}

std::vector<std::string> shortened_names(const std::vector<std::string>& names, std::size_t width) {
  std::vector<std::vector<std::string_view>> parts;
  parts.reserve(names.size());
  for (const std::string& name : names) parts.push_back(split(name));
  std::vector<std::string> without_shared;
  for (std::size_t i = 0; i < names.size(); ++i) {
    without_shared.push_back(without_parts(parts[i], shared_parts(parts, i), width));
  }
  if (distinct(without_shared) < distinct(names)) without_shared = names;
  return shortened_apart(without_shared, width);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = width;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace perfgate::report
