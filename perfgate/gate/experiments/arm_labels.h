// SPDX-License-Identifier: Apache-2.0
// arm_labels.h: what arms are called that nobody has named.
#pragma once

#include <string>
#include <vector>

namespace perfgate::gate {

// File names; where two are alike, the shortest path suffixes that tell them apart would be long,
// so they are numbered: "bench", "bench#2".
std::vector<std::string> LabelsOf(const std::vector<std::string>& executables);

// Command lines themselves, long ones without their middle, alike ones numbered: "gzip -1 f#2".
std::vector<std::string> LinesAsLabels(const std::vector<std::string>& lines);

}  // namespace perfgate::gate
