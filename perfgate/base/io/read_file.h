// SPDX-License-Identifier: Apache-2.0
// read_file.h: the bytes of a file at once. input_file.h reads what users name, with limits;
// regular_file.h reads parts.
#pragma once

#include <string>

namespace perfgate::inline base {

// Of a regular file of any size. Error(kData) as input_file.h, so that a pipe or device in its
// place is refused at once.
std::string read_file_text(const std::string& path);

// A small file such as those of /proc and /sys, at most 1 MiB; empty when unreadable.
std::string read_small_file(const std::string& path);

}  // namespace perfgate::inline base
