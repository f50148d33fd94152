// SPDX-License-Identifier: Apache-2.0
// mappings.h: which file lies where in a running program.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "perfgate/code/hot_code.h"

namespace perfgate::code {

// Everything that a program was ever seen to have mapped.
struct Mappings {
  struct Range {
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  // in the file
    std::string path;          // "[vdso]" and the like as the kernel names them; empty: no file
  };
  std::map<std::uint64_t, Range> ranges;  // executable ones, by their first address
  std::set<std::uint64_t> ends;           // of all: a stack ends at one of them
};

// Adds what /proc/<pid>/maps says now; nothing where the program is gone.
void AddMappings(int pid, Mappings& mappings);

// The text of such a file, for tests and for AddMappings.
void AddMappingLines(const std::string& text, Mappings& mappings);

bool IsCode(const Mappings& mappings, std::uint64_t address);

// Where an address of the program lies.
CodePlace PlaceOf(const Mappings& mappings, std::uint64_t address);

}  // namespace perfgate::code
