// SPDX-License-Identifier: Apache-2.0
// mapped_files.h: the files behind the memory of a process: its program, its libraries, what it
// opened with dlopen() and what it mapped itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::measure {

// The files in a text like that of /proc/PID/maps, sorted, each once. Left out: memory without a
// file, devices, files that were deleted, and perfgate's own preloaded libraries.
std::vector<std::string> MappedFiles(std::string_view maps);

// Those of a running process; none where it is gone.
std::vector<std::string> MappedFilesOf(int pid);

}  // namespace perfgate::measure
