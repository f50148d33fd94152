// SPDX-License-Identifier: Apache-2.0
// read_file.h: the bytes of a file at once. regular_file.h reads parts, and reads with a limit.
#pragma once

#include <string>

namespace perfgate::inline base {

// Whatever opens, pipes included. Error(kData) with the system's reason when it cannot be read.
std::string read_file_text(const std::string& path);

// A small file such as those of /proc and /sys, at most 1 MiB; empty when unreadable.
std::string read_small_file(const std::string& path);

}  // namespace perfgate::inline base
