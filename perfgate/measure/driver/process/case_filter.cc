// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/case_filter.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace perfgate::measure {
namespace {

// A longer name is matched by its beginning: regular expression engines recurse over the pattern.
constexpr std::size_t kLongestExactName = 2000;

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// Pieces of a pattern, one per character of the name.
using Pieces = std::vector<std::string>;

// A backslash before an ordinary character is an error in some dialects and a class such as \d in
// others, so that quoting is done by brackets: [.] means a dot everywhere.
Pieces pieces_of(std::string_view name) {
  constexpr std::string_view kBracketed = ".[()*+?{|$";
  const bool whole = name.size() <= kLongestExactName;
  name = name.substr(0, kLongestExactName);
  Pieces pieces;
  pieces.reserve(name.size() + 1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool shown_byte = c == '\\' && i + 3 < name.size() && name[i + 1] == 'x' &&
                            is_hex(name[i + 2]) && is_hex(name[i + 3]);
    if (shown_byte) {
      // A byte that is not UTF-8, shown as \xNN, or really those four characters.
      pieces.emplace_back("(.|....)");
      i += 3;
    } else if (c == '\\' || c == '^' || c == ']' || c == '}') {
      pieces.emplace_back(".");  // no spelling that all dialects share
    } else if (kBracketed.find(c) != std::string_view::npos) {
      pieces.push_back({'[', c, ']'});
    } else {
      pieces.emplace_back(1, c);
    }
  }
  if (!whole) pieces.emplace_back(".*");
  return pieces;
}

std::size_t length_of(const Pieces& pieces) {
  std::size_t length = 0;
  for (const std::string& piece : pieces) length += piece.size();
  return length;
}

// A pattern of all of `sorted` from piece `at` on, with common beginnings written once: an engine
// that tries alternatives one by one would need seconds for thousands of long ones.
std::string factored(std::span<const Pieces> sorted, std::size_t at) {
  std::string out;
  const auto shared = [&] {
    return sorted.front().size() > at && sorted.back().size() > at &&
           sorted.front()[at] == sorted.back()[at];
  };
  while (shared()) out += sorted.front()[at++];
  bool one_ends_here = false;
  while (!sorted.empty() && sorted.front().size() == at) {
    one_ends_here = true;
    sorted = sorted.subspan(1);
  }
  if (sorted.empty()) return out;
  out += '(';
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first + 1;
    while (last < sorted.size() && sorted[last][at] == sorted[first][at]) ++last;
    if (first > 0) out += '|';
    out += factored(sorted.subspan(first, last - first), at);
    first = last;
  }
  return out + (one_ends_here ? ")?" : ")");
}

}  // namespace

std::string filter_of(std::string_view name) {
  std::string filter = "^";
  for (const std::string& piece : pieces_of(name)) filter += piece;
  return filter + "$";
}

// Google Benchmark takes a leading '-' for "all but", so that "all but everything" is short; this
// one also holds for releases that do not know it.
std::string filter_of_none() { return "^perfgate runs no case$"; }

std::vector<FilterPart> filters_of(std::span<const std::string> names, std::size_t limit) {
  std::vector<FilterPart> parts;
  std::vector<Pieces> open;
  std::size_t open_bytes = 0;
  const auto close_part = [&] {
    std::sort(open.begin(), open.end());
    parts.back().filter = "^" + factored(open, 0) + "$";
    open.clear();
    open_bytes = 0;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    Pieces pieces = pieces_of(names[i]);
    const std::size_t bytes = length_of(pieces) + 1;
    // Factoring adds at most as much as the alternatives are long.
    if (open.empty() || 2 * (open_bytes + bytes) > limit) {
      if (!open.empty()) close_part();
      parts.emplace_back();
    }
    parts.back().indices.push_back(i);
    open_bytes += bytes;
    open.push_back(std::move(pieces));
  }
  if (!open.empty()) close_part();
  return parts;
}

}  // namespace perfgate::measure
