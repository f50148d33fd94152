// SPDX-License-Identifier: Apache-2.0
// callers.h: functions that call what is hot. They pass what is worked on.
//
// A word of a stack is taken for a return address where it lies directly behind a call. Words of
// calls that have returned look the same, so functions that ran earlier may count as well. None
// that is under way is missed, as far as the stack was read.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/code/file_pairs.h"
#include "perfgate/code/program_samples.h"

namespace perfgate::code {

// By file (FilePair::name) and symbol.
using FunctionNames = std::set<std::pair<std::string, std::string>>;

struct Callers {
  std::vector<HotFunction> changed;
  std::string trouble;  // why a caller cannot be compared; empty: all can
};

// Functions that differ among the callers of `hot`.
Callers ChangedCallers(const ProgramSamples& baseline, const ProgramSamples& candidate,
                       const FunctionNames& hot, FilePairs& files);

}  // namespace perfgate::code
