// SPDX-License-Identifier: Apache-2.0
// library_flags.h: Google Benchmark's flags, set from the program.
#pragma once

#include <string>

namespace perfgate::bench {

// Sets one flag as if it were on the command line, e.g. "--benchmark_list_tests=true". Public ways
// only: benchmark::Initialize may be called again.
void SetLibraryFlag(const std::string& flag);

}  // namespace perfgate::bench
