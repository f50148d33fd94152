// SPDX-License-Identifier: Apache-2.0
// outputs.h: where results go.
#pragma once

#include <string>
#include <vector>

namespace perfgate::cli {

// Throws Error(kData) when a file could not be written at `path` later: better before a minute of
// measuring than after it. Empty and "-" are fine.
void check_writable(const std::string& path);

// The same for several, which must differ from each other: Error(kUsage).
void check_outputs(const std::vector<std::string>& paths);

// Writes to the file, or to standard output for "-". Nothing for an empty path.
void write_output(const std::string& path, const std::string& content);

// Prints to standard output; Error(kData) when that fails (a full disk, a closed pipe).
void print(const std::string& text);

}  // namespace perfgate::cli
