// SPDX-License-Identifier: Apache-2.0
// study_samples.h: made-up studies: the same facts in every layout, and the population file that
// must come of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/published/studies/study.h"

namespace perfgate::published::test_support {

struct SampleArm {
  ArmState state = ArmState::kMissing;    // measured, failed or missing
  std::map<std::string, double> metrics;  // by the name in the population file
};

struct SampleCommit {
  std::string hash;  // 40 digits
  std::string model;
  std::array<SampleArm, kArms> arms;
  bool as_objects = false;  // the combined file holds objects of arms

  std::string id() const { return hash.substr(0, 8); }
};

// Values have up to three decimals, and the arms of one commit differ by 3 % and more.
std::vector<SampleCommit> MakeCommits(std::uint64_t seed, std::size_t count);

// Path in the folder -> text.
std::map<std::string, std::string> StudyFilesOf(const std::vector<SampleCommit>& commits,
                                                Layout layout);
void WriteFiles(const std::string& folder, const std::map<std::string, std::string>& files);

// Written without the code under test.
std::string ExpectedPopulation(const std::vector<SampleCommit>& commits, Layout layout);

}  // namespace perfgate::published::test_support
