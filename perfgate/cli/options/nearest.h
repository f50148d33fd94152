// SPDX-License-Identifier: Apache-2.0
// nearest.h: the known word closest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::cli {

// Empty when none is within a third of the word's length (at least 2) of edit distance, where a
// swap of neighbours counts as one edit.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace perfgate::cli
