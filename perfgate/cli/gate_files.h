// SPDX-License-Identifier: Apache-2.0
// gate_files.h: `perfgate gate` on result files: sessions of perfgate or files of other tools.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::cli {

struct GateFiles {
  std::string baseline;
  std::string candidate;
  std::string suite;
  std::string metrics;               // file that adds metrics, or empty
  std::vector<std::string> allowed;  // reasons that the user overrides
};

SuiteVerdict gate_on_files(const GateFiles& files, const Policy& policy);

}  // namespace perfgate::cli
