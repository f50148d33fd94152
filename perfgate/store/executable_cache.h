// SPDX-License-Identifier: Apache-2.0
// executable_cache.h: executables of accepted states by their digest, in a folder outside git that
// a CI cache can keep. What lies in it proves nothing: whoever takes an executable out computes its
// digest again and compares it with the one that the trusted baseline names.
//
//   <folder>/<hex of digest>/bench                   an executable that brings no libraries
//   <folder>/<hex of digest>/bench -> tree/bin/bench one with libraries: tree/ keeps the places
//   that <folder>/<hex of digest>/tree/lib/libsort.so     they had to each other, so that a run
//   path from
//                                                    $ORIGIN finds them again
//
// An executable that finds its libraries by an absolute path goes on finding those; when they have
// changed, its digest has.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace perfgate::store {

// Copies `path`, and `libraries` (absolute paths of those that do not come with the system), each
// atomically, the entry of the executable last. Nothing where it is there already. Error(kData)
// when it cannot be written.
void cache_executable(const std::string& folder, const std::string& digest, const std::string& path,
                      const std::vector<std::string>& libraries = {});

// Copies a folder of layouts (docs/layouts.md) to <folder>/<hex of digest>/layouts, its manifest
// last. Nothing where it is there already. Error(kData) when it cannot be written.
void cache_layouts(const std::string& folder, const std::string& digest, const std::string& path);

// The executable cached under a digest, its own file and no link to it, or the folder of layouts;
// or none.
std::optional<std::string> cached_executable(const std::string& folder, const std::string& digest);

}  // namespace perfgate::store
