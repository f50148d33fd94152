// SPDX-License-Identifier: Apache-2.0
// git.h: the few questions that a baseline asks of git.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace perfgate::store {

struct WorkingTree {
  std::string commit;                // 40 hexadecimal digits
  std::vector<std::string> changed;  // files that differ from it, untracked ones included
};

// Of the repository that holds the current folder; none where there is no repository or no commit.
// Changes below `except` do not count: recording a baseline makes some itself.
std::optional<WorkingTree> working_tree(const std::vector<std::string>& except = {});

// Writes what `path` holds at revision `ref` below `target`, with the same names. Returns how many
// files. Error(kData) when git does not know the revision, or there is nothing at that path.
std::size_t export_tree(const std::string& ref, const std::string& path, const std::string& target);

}  // namespace perfgate::store
