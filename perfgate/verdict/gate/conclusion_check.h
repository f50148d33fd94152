// SPDX-License-Identifier: Apache-2.0
// conclusion_check.h: whether a verdict's exit and summary follow from its own comparisons.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// Says in the verdict's warnings why it passes although its comparisons alone would not.
inline constexpr std::string_view kBootstrapped =
    "bootstrap: every case is new, nothing was compared";
inline constexpr std::string_view kDifferOnPurpose =
    "the arms differ on purpose: they were compared as alternatives, and a slower one does not "
    "fail the gate";

// Begins a warning where the numbers of a store would let a candidate pass that is a stranger's.
inline constexpr std::string_view kNumbersPassNoStranger =
    "recorded numbers alone let no stranger's candidate pass";

// Every case is new or skipped, and there is one.
bool IsNewSuite(const SuiteVerdict& verdict);

// Error(kInvalid) naming the field that differs from what the comparisons give, and a comparison
// whose verdict does not follow from its interval, or whose tolerance is not the policy's. `where`
// names the file. Whoever edits all of them alike is found by a signature alone.
void RequireOwnConclusion(const SuiteVerdict& verdict, const std::string& where);

}  // namespace perfgate::inline verdict
