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

// The full id of the commit that a revision names. Error(kUsage) for what cannot be a revision,
// Error(kData) when git does not know it here.
std::string ResolveCommit(const std::string& revision);

// Whether the text is a full id: 40 or 64 lower-case hexadecimal digits. Nothing but the commit has
// that name.
bool IsFullCommit(const std::string& revision);

// What a repository is called where nobody says: the address of its remote `origin`, without a user
// or password in it, or "root:" and its first commit. None outside of a repository.
std::optional<std::string> RepositoryName();

// The commits that lead to a revision by first parents, oldest first. Errors as ResolveCommit.
std::vector<std::string> FirstParents(const std::string& revision);

// The last commit that added this file; none where it lies in no repository or is in no commit.
std::optional<std::string> CommitThatAdded(const std::string& file);

// Writes what `path` holds at revision `ref` below `target`, with the same names. Returns how many
// files. Error(kData) when git does not know the revision, or there is nothing at that path.
std::size_t export_tree(const std::string& ref, const std::string& path, const std::string& target);

}  // namespace perfgate::store
