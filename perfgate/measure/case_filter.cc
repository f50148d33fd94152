// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/case_filter.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace perfgate::measure {
namespace {

// A longer name is matched by its beginning: regular expression engines recurse over the pattern.
constexpr std::size_t kLongestExactName = 2000;

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// A backslash before an ordinary character is an error in some dialects and a class such as \d in
// others, so that quoting is done by brackets: [.] means a dot everywhere.
std::string body_of(std::string_view name) {
  constexpr std::string_view kBracketed = ".[()*+?{|$";
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool shown_byte = c == '\\' && i + 3 < name.size() && name[i + 1] == 'x' &&
                            is_hex(name[i + 2]) && is_hex(name[i + 3]);
    if (shown_byte) {
      // A byte that is not UTF-8, shown as \xNN, or really those four characters.
      out += "(.|....)";
      i += 3;
    } else if (c == '\\' || c == '^' || c == ']' || c == '}' || c == '\r') {
      out += '.';  // no spelling that all dialects share
    } else if (kBracketed.find(c) != std::string_view::npos) {
      out += '[';
      out += c;
      out += ']';
    } else {
      out += c;
    }
  }
  return out;
}

std::string alternative(std::string_view name) {
  if (name.size() <= kLongestExactName) return body_of(name);
  return body_of(name.substr(0, kLongestExactName)) + ".*";
}

}  // namespace

std::string filter_of(std::string_view name) { return "^" + alternative(name) + "$"; }

// Google Benchmark takes a leading '-' for "all but", so that "all but everything" is short; this
// one also holds for releases that do not know it.
std::string filter_of_none() { return "^perfgate runs no case$"; }

std::vector<FilterPart> filters_of(std::span<const std::string> names, std::size_t limit) {
  constexpr std::size_t kFrame = 4;  // ^( and )$
  std::vector<FilterPart> parts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string body = alternative(names[i]);
    if (parts.empty() || parts.back().filter.size() + 1 + body.size() + kFrame > limit) {
      parts.emplace_back();
    } else {
      parts.back().filter += '|';
    }
    parts.back().filter += body;
    parts.back().indices.push_back(i);
  }
  for (FilterPart& part : parts) part.filter = "^(" + part.filter + ")$";
  return parts;
}

}  // namespace perfgate::measure
