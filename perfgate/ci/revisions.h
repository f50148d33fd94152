// SPDX-License-Identifier: Apache-2.0
// revisions.h: which revision a working tree is compared with, and files of revisions.
//
// Feature branch: the merge base with the default branch. Default branch with uncommitted changes:
// HEAD. Clean default branch: HEAD~1.
#pragma once

#include <optional>
#include <string>

namespace perfgate::ci {

struct Base {
  std::string commit{};  // full id; empty: there is nothing to compare with
  std::string reason{};  // "merge base with main"
};

// named: a revision that the user named, may be empty. target: the branch that the change goes to,
// as the CI system says; empty: the default branch. Error(kData) where the base exists and cannot
// be known: a shallow clone, no default branch, no common ancestor; Error(kUsage) for a named
// revision that does not exist.
Base ChooseBase(const std::string& repo, const std::string& named, const std::string& target);

// The full id of a commit. Error(kData) naming the option that it came from.
std::string CommitOf(const std::string& repo, const std::string& revision,
                     const std::string& option);

// The file of a commit, `path` from the repository's top; none where it has no such file.
std::optional<std::string> FileAt(const std::string& repo, const std::string& commit,
                                  const std::string& path);

// Whether files that say how to build with CMake name the target. commit empty: the working tree.
bool NamesTarget(const std::string& repo, const std::string& commit, const std::string& target);

}  // namespace perfgate::ci
