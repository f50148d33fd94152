// SPDX-License-Identifier: Apache-2.0
// collector.h: from addresses in a running program to places in its files.
#pragma once

#include <cstdint>
#include <map>

#include "perfgate/code/hot_code.h"
#include "perfgate/code/sampling/mappings.h"
#include "perfgate/code/sampling/raw_sample.h"

namespace perfgate::code {

// Of one run: the next one has its files at other addresses.
class SampleCollector {
 public:
  SampleCollector(int pid, ProgramSamples& samples);

  // A program that is started by another one has its own number once it runs.
  void Follow(int pid) { pid_ = pid; }

  // What the program has mapped now. Libraries come and go.
  void Look() { AddMappings(pid_, mappings_); }

  void Take(const RawSample& raw);

  // Names the files in `samples`.
  void Finish();

 private:
  void AddWord(std::uint64_t word, SampledStack& stack);

  int pid_;
  ProgramSamples& samples_;
  Mappings mappings_;
  std::map<CodePlace, int> known_;  // as samples_.stack_places
};

}  // namespace perfgate::code
