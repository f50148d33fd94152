// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/arm_labels.h"

#include <filesystem>
#include <map>

namespace perfgate::gate {

std::vector<std::string> LabelsOf(const std::vector<std::string>& executables) {
  std::map<std::string, int> seen;
  std::vector<std::string> result;
  for (const std::string& path : executables) {
    const std::string name = std::filesystem::path(path).filename().string();
    const int count = ++seen[name];
    result.push_back(count == 1 ? name : name + "#" + std::to_string(count));
  }
  return result;
}

}  // namespace perfgate::gate
