// SPDX-License-Identifier: Apache-2.0
// hot_code.h: whether two builds run the same code, from where their time goes.
//
//   perfgate::code::ProgramSamples before = ..., after = ...;   // sampling/sample.h
//   const CodeComparison found = CompareHotCode(before, after);
//   // found.status, found.reason, found.changed
//
// The room, from a file to an answer:
//   elf_image.h     sections, symbols and relocations of one file
//   calls.h         who calls whom, where objects begin
//   instructions.h  a function with its addresses taken out
//   references.h    what each of them stands for
//   functions.h     two builds of one function
//   file_pairs.h    two builds of all files
//   stack_chains.h  the functions on the stacks of samples
//   callers.h       who calls hot functions
//   hot_code.h      all functions that a case spends its time in, and who calls them
//   sampling/       where a program spends its time
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/text/enum_words.h"

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

enum class CodeStatus { kUnchanged, kChanged, kUnknown };

constexpr EnumWords<3> enum_words(CodeStatus) {
  return {"hot code", {{"unchanged", "changed", "unknown"}}};
}

struct HotFunction {
  std::string object;      // file name of the executable or library
  std::string symbol;      // demangled
  double share = 0;        // of the arm's samples; the larger of the two arms
  std::string difference;  // what differs first: "bytes at +12"
};

struct CodeComparison {
  CodeStatus status = CodeStatus::kUnknown;
  // Share of the samples in functions that are the same in both; the smaller of the two arms.
  double same_share = 0;
  std::string reason;                // of unknown: why; empty otherwise
  std::vector<HotFunction> changed;  // most samples first; callers of hot functions last
};

// Unchanged: at least 99 % of the samples of either arm lie in functions that are the same code in
// both (functions.h), and so are their callers, for they pass what is worked on. A function counts
// as a caller
//   - that is on the stacks of at least 1 % of an arm's samples, below the benchmark library
//   - that ends with a jump to one of these or to a hot function: it has left the stack
// Where more than 1 % of an arm's stacks could be read neither to main() nor to their end, all
// functions count that call a hot one anywhere in the code, directly or through others.
// Files of one content are the same without looking inside. A function is found again by its name.
//
// Unknown, with the reason: no symbols ("stripped"), another kind of machine, fewer than 200
// samples, more than 1 % of them outside any known function, a caller that cannot be compared.
// Never throws for what the files hold.
CodeComparison CompareHotCode(const ProgramSamples& baseline, const ProgramSamples& candidate);

}  // namespace perfgate::code
