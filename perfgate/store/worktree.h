// SPDX-License-Identifier: Apache-2.0
// worktree.h: commits of the repository that holds the current folder, checked out beside it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace perfgate::store {

struct Commit {
  std::string id;
  std::string subject;  // first line of its message
};

// `good` and the commits that lead from it to `bad` by first parents, oldest first. Error(kData)
// where git does not know one of them, or `good` does not lead to `bad`; Error(kUsage) where they
// are one commit.
std::vector<Commit> CommitsBetween(const std::string& good, const std::string& bad);

// A folder in which one commit after another is checked out. Files that a build left there stay, so
// that the next build is short. The repository's own working tree is not touched.
class Worktree {
 public:
  explicit Worktree(std::string folder) : folder_(std::move(folder)) {}

  // Error(kData) where git cannot check it out.
  void CheckOut(const std::string& commit) const;

  // Forgets the folder and removes it; nothing where there is none.
  void Remove() const;

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace perfgate::store
