// SPDX-License-Identifier: Apache-2.0
// inventory.h: what is there, per source: commits, arms by state, files. Every sum is checked.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "perfgate/published/studies/study.h"

namespace perfgate::published {

struct SourceCounts {
  std::size_t commits = 0;
  std::array<std::array<std::size_t, kStateWords.size()>, kArms> arms = {};  // [arm][state]
  std::size_t files_read = 0;
  std::size_t files_unreadable = 0;
};

// Throws std::logic_error where the states of an arm do not add up to the commits.
SourceCounts CountSource(const StudySource& source);

std::string InventoryText(const std::vector<Study>& studies);
std::string InventoryJson(const std::vector<Study>& studies);

}  // namespace perfgate::published
