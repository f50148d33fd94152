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

#include <string>
#include <vector>

#include "perfgate/base/text/enum_words.h"
#include "perfgate/code/program_samples.h"

namespace perfgate::code {

enum class CodeStatus { kUnchanged, kChanged, kUnknown };

constexpr EnumWords<3> enum_words(CodeStatus) {
  return {"hot code", {{"unchanged", "changed", "unknown"}}};
}

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
