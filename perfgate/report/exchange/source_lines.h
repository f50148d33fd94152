// SPDX-License-Identifier: Apache-2.0
// source_lines.h: where a benchmark is registered, so that a code host can show its result there.
#pragma once

#include <map>
#include <string>

namespace perfgate::report {

struct SourceLine {
  std::string file{};  // empty: not known
  int line = 0;
};

// By family: the name of a case up to its first "/" or "<".
using SourceLines = std::map<std::string, SourceLine>;

// Looks through C++ and CUDA sources below a folder for BENCHMARK..(family, and for families in
// quotes on lines that register. Hidden folders and those named build* are left out. Files are
// named as the folder was: "src" gives "src/sort.cc". The first line in order of paths wins.
// Error(kData) where the folder cannot be read.
SourceLines FindSourceLines(const std::string& folder);

SourceLine LineOfCase(const SourceLines& lines, const std::string& case_name);

}  // namespace perfgate::report
