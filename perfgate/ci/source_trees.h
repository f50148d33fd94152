// SPDX-License-Identifier: Apache-2.0
// source_trees.h: source files in new folders, apart from the repository that they come from.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace perfgate::ci {

using Say = std::function<void(const std::string&)>;

// All files of a commit, those of checked out submodules included. A submodule that is not checked
// out is said and stays empty. Error(kData).
void ExportRevision(const std::string& repo, const std::string& commit, const std::string& folder,
                    const Say& say);

// What git would commit here with `git add --all`: tracked files as they are now and new files that
// are not ignored, those of submodules included. Error(kData).
void ExportWorkingTree(const std::string& repo, const std::string& folder, const Say& say);

// Makes the folder the tree of a trusted commit, but for the libraries under test (folders from the
// tree's top), of which it keeps its own sources. Files that say how to build are all of the
// commit. Error(kData).
void TakeSuite(const std::string& repo, const std::string& commit,
               const std::vector<std::string>& libraries, const std::string& folder,
               const Say& say);

// These folders and files of a commit, below `folder` under the same names. Error(kData) for one
// that the commit does not have.
void ExportData(const std::string& repo, const std::string& commit,
                const std::vector<std::string>& paths, const std::string& folder, const Say& say);

}  // namespace perfgate::ci
