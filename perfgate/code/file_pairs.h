// SPDX-License-Identifier: Apache-2.0
// file_pairs.h: the files of two programs, each beside its counterpart.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "perfgate/code/elf_image.h"
#include "perfgate/code/program_samples.h"
#include "perfgate/code/references.h"

namespace perfgate::code {

// A file as both arms map it: two files of one name, or one in both.
struct FilePair {
  std::string name;     // without folders; of the executables the candidate's
  bool same = false;    // of one content
  std::string trouble;  // why it cannot be compared; empty: it can
  // Of files that are the same only the executables' are filled.
  std::array<ElfImage, 2> images;
  std::array<std::unique_ptr<References>, 2> references;

  References& ReferencesOf(std::size_t arm);
};

class FilePairs {
 public:
  FilePairs(const ProgramSamples& baseline, const ProgramSamples& candidate)
      : programs_{&baseline, &candidate} {}

  // The pair that a file of one arm belongs to; nullptr: the other arm has no such file.
  FilePair* PairOf(std::size_t arm, const std::string& path);

  // What differs between a function of one arm and the other arm's of one of its names; empty:
  // nothing.
  std::string Difference(FilePair& pair, std::size_t arm, const Object& function);

  // Those that were asked for.
  const std::map<std::string, std::unique_ptr<FilePair>>& all() const { return pairs_; }

 private:
  std::array<const ProgramSamples*, 2> programs_;
  std::map<std::string, std::unique_ptr<FilePair>> pairs_;
  std::array<std::map<const Object*, std::string>, 2> differences_;
};

// The difference of a function without a counterpart.
inline constexpr const char* kOneArmOnly = "only one arm has it";

// As C++ spells it.
std::string Demangled(const std::string& symbol);

// Without its folders.
std::string FileName(const std::string& path);

}  // namespace perfgate::code
