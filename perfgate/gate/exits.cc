// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/exits.h"

#include <algorithm>

#include "perfgate/verdict/gate/conclusion_check.h"
#include "perfgate/verdict/gate/suite_verdict.h"

namespace perfgate::gate {

Exit ExitOfGate(const SuiteVerdict& verdict, Suspicion suspected) {
  const bool passes = verdict.exit == Exit::kSuspected && suspected == Suspicion::kWarns;
  return passes ? Exit::kPass : verdict.exit;
}

void AcceptNewSuite(SuiteVerdict& verdict) {
  if (verdict.exit != Exit::kNotComparable || !IsNewSuite(verdict)) return;
  verdict.exit = Exit::kPass;
  verdict.warnings.emplace_back(kBootstrapped);
}

void AcceptDifference(SuiteVerdict& verdict) {
  if (verdict.exit != Exit::kRegression) return;
  for (ColumnVerdict& column : verdict.columns) {
    if (column.verdict == Verdict::kRegression) column.gated = false;
  }
  verdict.exit = Exit::kPass;
  verdict.warnings.emplace_back(kDifferOnPurpose);
}

Exit ExitOfSession(const Session& session) {
  if (session.cases.empty()) return Exit::kNotComparable;
  const bool failed = std::any_of(session.faults.begin(), session.faults.end(), [](const Fault& f) {
    return f.kind != FaultKind::kSkipped && f.kind != FaultKind::kAbsent;
  });
  if (failed) return Exit::kFailed;
  if (!session.rounds.empty()) return Exit::kPass;
  return session.faults.empty() ? Exit::kInconclusive : Exit::kSkipped;
}

Exit ExitOfAblation(const Ablation& ablation) {
  for (const Exit exit : {Exit::kInvalid, Exit::kFailed, Exit::kNotComparable, Exit::kSkipped}) {
    if (ablation.suite.exit == exit) return exit;
  }
  // A gate ends with a regression before it ends with what cannot be compared, and passes over what
  // is new; here the one is an answer and the others are none.
  for (const AblationRow& row : ablation.rows) {
    if (is_unanswered(row)) return Exit::kNotComparable;
  }
  const bool open = std::any_of(ablation.rows.begin(), ablation.rows.end(), [](const auto& row) {
    return row.promotion == Promotion::kUnresolved;
  });
  return open || ablation.rows.empty() || !ablation.suite.complete ? Exit::kInconclusive
                                                                   : Exit::kPass;
}

bool IsFailure(const Fault& fault) {
  return fault.kind != FaultKind::kSkipped && fault.kind != FaultKind::kAbsent &&
         fault.kind != FaultKind::kUnmeasured && fault.kind != FaultKind::kTooManyThreads;
}

Exit ExitWithoutCalibration(const Session& session, const Error& refusal) {
  if (session.cases.empty()) return Exit::kNotComparable;
  if (std::any_of(session.faults.begin(), session.faults.end(), IsFailure)) return Exit::kFailed;
  const bool all_skipped =
      !session.faults.empty() &&
      std::all_of(session.faults.begin(), session.faults.end(),
                  [](const Fault& fault) { return fault.kind == FaultKind::kSkipped; }) &&
      std::all_of(session.rounds.begin(), session.rounds.end(),
                  [](const RoundInfo& round) { return round.cases.empty(); });
  return all_skipped ? Exit::kSkipped : refusal.exit();
}

}  // namespace perfgate::gate
