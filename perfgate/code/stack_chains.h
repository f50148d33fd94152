// SPDX-License-Identifier: Apache-2.0
// stack_chains.h: the functions on the stacks of one arm's samples, up to the benchmark library.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "perfgate/code/file_pairs.h"
#include "perfgate/code/program_samples.h"

namespace perfgate::code {

// What an address on a stack was found to be.
struct StackFrame {
  enum class Kind {
    kNone,      // no return address, or no function is known there
    kFunction,  // of `file`, to be compared
    kSame,      // of a file that is the same in both
    kLibrary,   // the benchmark library
    kStart,     // main(), and what calls it or runs before it
    kTrouble,   // cannot be compared
  };
  Kind kind = Kind::kNone;
  FilePair* file = nullptr;
  const Object* function = nullptr;
  std::string text;  // of kTrouble: why
};

struct StackChains {
  // Functions on the stacks of at least 1 % of the samples.
  std::set<std::pair<FilePair*, const Object*>> functions;
  std::string trouble;  // why the caller of as many samples cannot be compared
  // Share of the samples whose stack was read neither to main() nor to its end.
  double unseen_share = 0;
};

StackChains ReadStacks(const ProgramSamples& samples, std::size_t arm, FilePairs& files);

// Whether the benchmark library has the function. Its templates hold the user's code.
bool IsOfTheLibrary(std::string_view symbol);

}  // namespace perfgate::code
