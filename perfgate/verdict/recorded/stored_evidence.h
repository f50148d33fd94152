// SPDX-License-Identifier: Apache-2.0
// stored_evidence.h: what a verdict on recorded numbers rests on.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/recorded.h"
#include "perfgate/evidence/session.h"
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

}  // namespace perfgate::inline verdict
