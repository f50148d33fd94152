// SPDX-License-Identifier: Apache-2.0
// case_keys.h: what the names of cases say: which alternative a case is, and of which size.
//
// Names are parts between slashes. A part "key:value" gives the key a value, and so does a template
// argument: BM_Sort<std>/4096 has the value `std` of the key `BM_Sort`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate::inline verdict {

struct KeyedName {
  std::string name;  // without the value: "sort/count:4096", "BM_Sort/4096"
  std::string value;
};

// None where the name does not have the key.
std::optional<KeyedName> SplitByKey(std::string_view name, std::string_view key);

// The values of a key in the order of the names, each once.
std::vector<std::string> ValuesOfKey(std::span<const std::string> names, std::string_view key);

// Names the size by the last part that is a number, as in BM_Sort/4096.
inline constexpr std::string_view kLastNumber = "/";

struct SizedName {
  std::string series;  // the name without the size
  double size = 0;
};

// The number after the key, as in sort/count:4096, or for kLastNumber the last part that is a
// number. None where there is no such number.
std::optional<SizedName> SplitBySize(std::string_view name, std::string_view key);

}  // namespace perfgate::inline verdict
