// SPDX-License-Identifier: Apache-2.0
// identity.h: the proof that two arms are the same program, so that nothing has to be measured.
//
// One digest for both is not enough: it covers the file and the libraries that the loader resolves,
// not a plugin that a case opens, nor the program that a launcher script starts.
#pragma once

#include <string>

#include "perfgate/measure/plan.h"

namespace perfgate::measure {

struct Identity {
  bool proven = false;
  // What both map although it belongs to one of them (one_library.h); empty: nothing.
  std::string one_library;
  std::string why_not;  // what stands against it, to be told where the digests are the same
};

// Whether the first two arms of the plan are the same program. They are when both are ELF
// executables of one digest and the files that each maps at the end of an untimed run of every case
// are the same files, or have the same digests. Scripts never are. A static program maps nothing
// but itself. Runs each arm once, unless they are one file or `known_folder` (known_maps.h) has
// what they mapped the last time. Throws Interrupted.
Identity ProveIdentical(const MeasurePlan& plan, const std::string& known_folder);

}  // namespace perfgate::measure
