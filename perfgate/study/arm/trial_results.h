// SPDX-License-Identifier: Apache-2.0
// trial_results.h: what one short run of a benchmark wrote.
#pragma once

#include <string>

namespace perfgate::study {

// The first case that has a time.
struct TrialResults {
  std::string name{};
  double time = 0;
  std::string unit{};
  std::string trouble{};  // why there is none; empty: there is one
};

// Results as Google Benchmark writes them. Never throws for what stands there.
TrialResults ReadTrial(const std::string& path);

}  // namespace perfgate::study
