// SPDX-License-Identifier: Apache-2.0
// case_filter.h: regular expressions for --benchmark_filter that match given names.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate::measure {

// Matches `name` whole in all dialects that the library is built with: POSIX extended, std::regex
// extended and ECMAScript. It may match more than the name (characters that no common spelling
// quotes are written as `.`); results are matched by exact name afterwards.
std::string filter_of(std::string_view name);

// A filter of no case.
std::string filter_of_none();

struct FilterPart {
  std::string filter;
  std::vector<std::size_t> indices;  // of the names it covers, in the given order
};

// Splits names over filters of at most `limit` bytes (one name at least): the kernel takes 128 KiB
// an argument, and std::regex gives up on large automata.
std::vector<FilterPart> filters_of(std::span<const std::string> names,
                                   std::size_t limit = std::size_t{24} << 10);

}  // namespace perfgate::measure
