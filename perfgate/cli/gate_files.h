// SPDX-License-Identifier: Apache-2.0
// gate_files.h: `perfgate gate` on result files: sessions of perfgate or files of other tools.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::cli {

// Whether a path names a text file of results rather than an executable: it begins like JSON.
bool names_results(const std::string& path);

SuiteVerdict gate_on_files(const std::string& baseline, const std::string& candidate,
                           const Policy& policy, const std::vector<std::string>& allowed,
                           const std::string& suite);

}  // namespace perfgate::cli
