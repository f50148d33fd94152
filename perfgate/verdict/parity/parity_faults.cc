// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_faults.h"

#include <algorithm>

#include "perfgate/base/text/join.h"
#include "perfgate/published/failure_kind.h"
#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/faults.h"

namespace perfgate::inline verdict {
namespace {

ParityStatus status_of_fault(const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::kBadValue:
    case FaultKind::kLeftover:
    case FaultKind::kInvalid:
      return ParityStatus::kInvalid;
    case FaultKind::kTooManyThreads:
    case FaultKind::kOtherWorkload:
    case FaultKind::kSkipped:
      return ParityStatus::kNotComparable;
    case FaultKind::kUnmeasured:
      return ParityStatus::kUnresolved;
    case FaultKind::kAbsent:
      return fault.arm == kAgent ? ParityStatus::kMissing : ParityStatus::kNotComparable;
    default:
      return fault.arm == kAgent ? ParityStatus::kFailed : ParityStatus::kNotComparable;
  }
}

std::string text_of(const Fault& fault, const std::vector<ArmInfo>& arms) {
  std::string text(to_string(fault.kind));
  if (!IsNobodysFault(fault.kind)) text += ": " + arms[static_cast<std::size_t>(fault.arm)].label;
  if (!fault.detail.empty()) text += ": " + fault.detail;
  const published::Failure failure = published::classify_fault(fault.kind);
  return text + " (" + std::string(word_of(failure.kind)) + ", retry " +
         std::string(word_of(failure.retry)) + ")";
}

bool in_every_arm(const std::vector<Fault>& faults, FaultKind kind, bool same_detail) {
  std::vector<bool> seen(kParityArms.size(), false);
  for (const Fault& fault : faults) {
    if (fault.kind != kind) return false;
    if (same_detail && fault.detail != faults.front().detail) return false;
    seen[static_cast<std::size_t>(fault.arm)] = true;
  }
  return std::all_of(seen.begin(), seen.end(), [](bool s) { return s; });
}

bool lacks_case(const std::vector<Fault>& faults, int arm) {
  return std::any_of(faults.begin(), faults.end(), [arm](const Fault& f) {
    return f.kind == FaultKind::kAbsent && f.arm == arm;
  });
}

}  // namespace

ParityFault judge_parity_faults(const std::vector<Fault>& faults,
                                const std::vector<ArmInfo>& arms) {
  ParityFault result;
  if (faults.empty()) return result;
  if (in_every_arm(faults, FaultKind::kSkipped, true)) {
    return {ParityStatus::kSkipped, faults.front().detail, "skipped"};
  }
  if (in_every_arm(faults, FaultKind::kAbsent, false)) {
    return {ParityStatus::kMissing, "absent: the policy expects the case and no arm has it",
            "absent"};
  }
  const bool human_lacks_it = lacks_case(faults, kHuman);
  const bool only_agent_has_it = human_lacks_it && lacks_case(faults, kBaseline);
  for (const Fault& fault : faults) {
    if (fault.arm == kBaseline && !IsNobodysFault(fault.kind)) {
      AppendItem(result.baseline_reason, text_of(fault, arms), "; ");
      continue;
    }
    ParityStatus status = status_of_fault(fault);
    // Without the human's there is no reference, so nothing that the agent could miss.
    if (status == ParityStatus::kMissing && human_lacks_it) status = ParityStatus::kNotComparable;
    if (fault.kind == FaultKind::kAbsent && only_agent_has_it) status = ParityStatus::kNew;
    result.outcome = result.outcome ? std::min(*result.outcome, status) : status;
    AppendItem(result.reason, text_of(fault, arms), "; ");
  }
  return result;
}

}  // namespace perfgate::inline verdict
