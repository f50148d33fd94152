// SPDX-License-Identifier: Apache-2.0
// comparability.h: may these two executables be compared at all?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// The named reason and its detail when the builds must not be compared: optimisation, assertions
// or sanitizers differ. None when they may, or when nothing is known of them.
std::optional<std::string> build_mismatch(const ArmInfo& baseline, const ArmInfo& candidate);

// Differences and settings that do not forbid the comparison but belong in the report: other
// compilers or library versions, both arms unoptimised, both under a sanitizer.
std::vector<std::string> build_warnings(const ArmInfo& baseline, const ArmInfo& candidate);

}  // namespace perfgate::inline verdict
