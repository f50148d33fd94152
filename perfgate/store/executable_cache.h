// SPDX-License-Identifier: Apache-2.0
// executable_cache.h: executables of accepted states by their digest, in a folder outside git that
// a CI cache can keep. What lies in it proves nothing: whoever takes an executable out computes its
// digest again and compares it with the one that the trusted baseline names.
#pragma once

#include <optional>
#include <string>

namespace perfgate::store {

// Copies `path` to <folder>/<hex of digest>/<file name>, atomically. Nothing where it is there
// already. Error(kData) when it cannot be written.
void cache_executable(const std::string& folder, const std::string& digest,
                      const std::string& path);

// The file cached under a digest, or none.
std::optional<std::string> cached_executable(const std::string& folder, const std::string& digest);

}  // namespace perfgate::store
