// SPDX-License-Identifier: Apache-2.0
// shared_parts.h: what all names of a table have in common, told once.
#pragma once

#include <string>
#include <vector>

namespace perfgate::report {

struct ShownNames {
  std::vector<std::string> shared;  // parts that every name has; empty: names are whole
  std::vector<std::string> names;   // without them; as regular expressions they find the names
};

// Of names "family/key:value/..." the parts that all of them have go: at an end without a trace, in
// the middle ".*" stands for a run of them. Names stay whole where there are fewer than two
// different ones, or where they could not be told apart any more.
ShownNames WithoutSharedParts(const std::vector<std::string>& names);

// "In every name: device:cpu, dtype:f32"; empty where nothing is shared.
std::string SharedPartsText(const ShownNames& names);

}  // namespace perfgate::report
