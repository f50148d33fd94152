// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/arm_labels.h"

#include <filesystem>
#include <map>

namespace perfgate::gate {
namespace {

std::vector<std::string> Numbered(const std::vector<std::string>& names) {
  std::map<std::string, int> seen;
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const int count = ++seen[name];
    result.push_back(count == 1 ? name : name + "#" + std::to_string(count));
  }
  return result;
}

}  // namespace

std::vector<std::string> LabelsOf(const std::vector<std::string>& executables) {
  std::vector<std::string> names;
  for (const std::string& path : executables) {
    names.push_back(std::filesystem::path(path).filename().string());
  }
  return Numbered(names);
}

std::vector<std::string> LinesAsLabels(const std::vector<std::string>& lines) {
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kEnd = 18;  // what tells lines apart often stands at their end
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    names.push_back(line.size() <= kLongest ? line
                                            : line.substr(0, kLongest - kEnd - 3) + "..." +
                                                  line.substr(line.size() - kEnd));
  }
  return Numbered(names);
}

}  // namespace perfgate::gate
