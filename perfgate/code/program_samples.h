// SPDX-License-Identifier: Apache-2.0
// program_samples.h: where a program was found running, and what was found of its functions.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfgate::code {

// A place of code in a file. Path "": in no file; "[vdso]": in the kernel's own.
struct CodePlace {
  std::string path;
  std::uint64_t offset = 0;

  auto operator<=>(const CodePlace&) const = default;
};

// The words of a sample's stack that point into code, innermost first: where the calls that are
// under way return to, and words that only look like it.
struct SampledStack {
  std::vector<int> words;  // places by their index in ProgramSamples::stack_places
  bool whole = false;      // read to the end of the stack
};

// Where one program was found running.
struct ProgramSamples {
  std::string executable;       // absolute, as the program's mappings name it
  std::set<std::string> files;  // that it mapped, the executable among them
  std::map<CodePlace, int> counts;
  std::vector<SampledStack> stacks;  // of these samples; of those that it lacks nothing is known
  std::vector<CodePlace> stack_places;
};

struct HotFunction {
  std::string object;      // file name of the executable or library
  std::string symbol;      // demangled
  double share = 0;        // of the arm's samples; the larger of the two arms
  std::string difference;  // what differs first: "bytes at +12"
};

}  // namespace perfgate::code
