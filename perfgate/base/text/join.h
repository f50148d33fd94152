// SPDX-License-Identifier: Apache-2.0
// join.h: lists in messages.
//
//   Join(names, ", ")            "a, b, c" from any range of texts or integers
//   AppendItem(list, "d", ", ")  "a, b, c, d"; where items come one by one, or only sometimes
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace perfgate::inline base {

template <class Range>
std::string Join(const Range& items, std::string_view separator = ", ") {
  return fmt::format("{}", fmt::join(items, separator));
}

// The separator stands only between items, so the first item comes without one.
inline void AppendItem(std::string& list, std::string_view item,
                       std::string_view separator = ", ") {
  if (!list.empty()) list += separator;
  list += item;
}

}  // namespace perfgate::inline base
