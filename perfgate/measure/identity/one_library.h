// SPDX-License-Identifier: Apache-2.0
// one_library.h: two arms that load one library although each should have its own.
//
// With LD_LIBRARY_PATH set to one build, both executables take that build's libraries: what is
// compared is one library with itself.
#pragma once

#include <optional>
#include <string>

#include "perfgate/measure/executable.h"

namespace perfgate::measure {

// Says which library both executables load although it lies in the build of one of them, and what
// sent the other one there; none where there is no such library. The build of an executable is the
// nearest folder above it that a build system made (CMakeCache.txt, build.ninja, ...), else its own
// folder, or the one above `bin`; never a folder that both lie in. Libraries that are installed
// (/usr, /opt, /lib) belong to neither arm.
std::optional<std::string> OneLibraryForBoth(const Executable& baseline,
                                             const Executable& candidate);

}  // namespace perfgate::measure
