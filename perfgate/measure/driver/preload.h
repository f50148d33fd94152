// SPDX-License-Identifier: Apache-2.0
// preload.h: whether an unmodified executable can be made a worker by a preloaded library.
//
// libperfgate_worker.so (perfgate/bench/preload) takes over RunSpecifiedBenchmarks() of a program
// that links libbenchmark dynamically, and serves the worker protocol there: one launch a round
// instead of one a slice. It knows the fields of the library's classes, so it serves the one
// version that it was compiled for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "perfgate/measure/executable.h"

namespace perfgate::measure {

// Path of libperfgate_worker.so beside the running program, or in the library folder of the
// installation that the program belongs to; empty: there is none.
std::string FindWorkerShim();

struct Preloading {
  bool possible = false;
  // Why it is not, for an executable that links libbenchmark dynamically; empty for others, which
  // are no candidates.
  std::string why_not;
};

// Reads files and runs nothing. `shim`: as FindWorkerShim(); empty: not possible, for no reason.
Preloading PreloadingOf(const Executable& executable, const std::string& shim);

// The version in the name of the file that a libbenchmark.so is, "1.7.1"; empty: it has none.
std::string LibraryVersion(const std::string& library);

}  // namespace perfgate::measure
