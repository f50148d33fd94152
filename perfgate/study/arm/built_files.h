// SPDX-License-Identifier: Apache-2.0
// built_files.h: executables that were built at one place and run at another of the same length.
#pragma once

#include <string>

#include "perfgate/base/os/spawn_options.h"

namespace perfgate::study {

// Puts the tree's own path where programs and libraries in it name the place that they were built
// at: there the loader finds their libraries.
void MoveBuiltFiles(const std::string& tree, const std::string& place);

struct BuiltDigest {
  std::string anywhere{};  // of the executable and its own libraries, as at the place
  std::string file{};      // of the executable as it lies there
};

// Error(kData) where it is no executable. loader: as inspect_executable().
BuiltDigest DigestOf(const std::string& executable, const std::string& tree,
                     const std::string& place, const Wrapper& loader);

}  // namespace perfgate::study
