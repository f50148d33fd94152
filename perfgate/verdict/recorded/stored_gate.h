// SPDX-License-Identifier: Apache-2.0
// stored_gate.h: sessions measured now against sessions recorded earlier.
//
// Recorded numbers cannot tell a slower executable from a slower machine, so a slowdown ends at
// `suspected`, to be confirmed by measuring both executables side by side, unless the machine class
// is qualified by its own record (verdict/recorded/qualification.h). docs/statistics.md has the
// test.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/recorded.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/recorded/contract.h"

namespace perfgate::inline verdict {

// What went wrong in a case of either arm (0: baseline, 1: candidate).
struct CaseFault {
  std::string case_name;
  Fault fault;
};

struct StoredEvidence {
  std::string grade = "stored";            // or "imported"
  std::vector<RecordedSession> baseline;   // of the accepted state, in the order recorded
  std::vector<RecordedSession> candidate;  // measured now
  Policy policy;
  std::string baseline_head;  // of the store's chain
  std::vector<std::string>
      allowed;                // reasons of verdict/recorded/contract.h that the user overrides
  bool qualified = false;     // the machine class may fail on numbers alone
  std::string qualification;  // why, for the report
  // Of imported results, whose files say more than a recorded session holds:
  std::vector<Mismatch> further_mismatches;
  std::vector<CaseFault> faults;
  std::string baseline_label = "baseline";
  std::string candidate_label = "candidate";
  std::vector<std::string> aggregates;       // "case metric": means without samples, never a claim
  std::vector<std::string> unknown_metrics;  // shown, never judged
  // Required fields that a record lacks, "candidate: environment.gpu is pending": no claim, no
  // pass.
  std::vector<std::string> unstated;
};

// Grade `stored`. Fewer than 2 baseline or candidate sessions: the difference is shown, claim
// `insufficient`. Error(kData) when either side has no session.
SuiteVerdict decide_stored(const StoredEvidence& evidence);

}  // namespace perfgate::inline verdict
