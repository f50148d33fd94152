// SPDX-License-Identifier: Apache-2.0
// repository.h: commits of a git repository, and their files.
#pragma once

#include <map>
#include <set>
#include <string>

namespace perfgate::study {

// The full id of each name that is a commit there; the others are left out. One question for all of
// them. Error(kData) where the folder is no repository of git.
std::map<std::string, std::string> ResolveCommits(const std::string& repo,
                                                  const std::set<std::string>& names,
                                                  const std::string& scratch);

// All files of the commit, as git would check them out, in a new folder. `scratch` becomes a file
// and is removed. Error(kData).
void ExportCommit(const std::string& repo, const std::string& commit, const std::string& folder,
                  const std::string& scratch);

}  // namespace perfgate::study
