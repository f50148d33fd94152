// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/faults.h"

#include <algorithm>

#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/workload_reason.h"

namespace perfgate::inline verdict {
namespace {

std::string_view name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::kSkipped:
      return "skipped";
    case FaultKind::kError:
      return "error";
    case FaultKind::kCrashed:
      return "crashed";
    case FaultKind::kExited:
      return "exited_early";
    case FaultKind::kTimeout:
      return "timeout";
    case FaultKind::kBadValue:
      return "bad_value";
    case FaultKind::kNoOutput:
      return "no_output";
    case FaultKind::kProtocol:
      return "protocol_error";
    case FaultKind::kAbsent:
      return "absent";
    case FaultKind::kLeftover:
      return "process_left_behind";
    case FaultKind::kLaunch:
      return "launch_failed";
    case FaultKind::kTooManyThreads:
      return "too_many_threads";
    case FaultKind::kUnmeasured:
      return "unmeasured";
    case FaultKind::kInvalid:
      return "invalid";
    case FaultKind::kOtherWorkload:
      return "other_workload";
  }
  return "unknown";
}

Verdict judge(const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::kBadValue:
    case FaultKind::kLeftover:
    case FaultKind::kInvalid:
      return Verdict::kInvalid;
    case FaultKind::kTooManyThreads:
    case FaultKind::kOtherWorkload:
    case FaultKind::kSkipped:  // in one arm only: a run against a skip is never a pass
      return Verdict::kNotComparable;
    case FaultKind::kAbsent:
      return fault.arm == kBaseline ? Verdict::kNew : Verdict::kMissing;
    case FaultKind::kUnmeasured:
      return Verdict::kInconclusive;
    default:
      return fault.arm == kBaseline ? Verdict::kNotComparable : Verdict::kFailed;
  }
}

// Position in the headline order.
int rank(Verdict verdict) {
  constexpr Verdict kOrder[] = {Verdict::kInvalid, Verdict::kFailed, Verdict::kNotComparable,
                                Verdict::kMissing, Verdict::kNew,    Verdict::kInconclusive};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), verdict) -
                          std::begin(kOrder));
}

bool all_skip_alike(const std::vector<Fault>& faults, std::size_t arms) {
  std::vector<bool> skipped(arms, false);
  for (const Fault& fault : faults) {
    if (fault.kind != FaultKind::kSkipped || fault.detail != faults.front().detail) return false;
    skipped[static_cast<std::size_t>(fault.arm)] = true;
  }
  return std::all_of(skipped.begin(), skipped.end(), [](bool s) { return s; });
}

// A case that every arm lacks was expected by the policy.
bool absent_everywhere(const std::vector<Fault>& faults, std::size_t arms) {
  return faults.size() == arms && std::all_of(faults.begin(), faults.end(), [](const Fault& f) {
           return f.kind == FaultKind::kAbsent;
         });
}

// What breaks an arm, rather than what it lacks, skips or measures otherwise.
bool Breaks(FaultKind kind) {
  switch (kind) {
    case FaultKind::kError:
    case FaultKind::kCrashed:
    case FaultKind::kExited:
    case FaultKind::kTimeout:
    case FaultKind::kNoOutput:
    case FaultKind::kProtocol:
    case FaultKind::kLaunch:
      return true;
    default:
      return false;
  }
}

bool BreaksEverywhere(const std::vector<Fault>& faults, std::size_t arms) {
  std::vector<bool> broken(arms, false);
  for (const Fault& fault : faults) {
    if (!Breaks(fault.kind)) return false;
    broken[static_cast<std::size_t>(fault.arm)] = true;
  }
  return std::all_of(broken.begin(), broken.end(), [](bool b) { return b; });
}

bool AreAlike(const std::vector<Fault>& faults) {
  return std::all_of(faults.begin(), faults.end(), [&](const Fault& fault) {
    return fault.kind == faults.front().kind && fault.detail == faults.front().detail;
  });
}

}  // namespace

bool IsNobodysFault(FaultKind kind) {
  return kind == FaultKind::kTooManyThreads || kind == FaultKind::kUnmeasured;
}

std::optional<FaultVerdict> judge_faults(const std::vector<Fault>& faults,
                                         const std::vector<ArmInfo>& arms) {
  if (faults.empty()) return std::nullopt;
  if (all_skip_alike(faults, arms.size())) {
    return FaultVerdict{Verdict::kSkipped, faults.front().detail};
  }
  if (absent_everywhere(faults, arms.size())) {
    return FaultVerdict{Verdict::kMissing, "absent: the policy expects the case and no arm has it"};
  }
  FaultVerdict result{judge(faults.front()), ""};
  for (const Fault& fault : faults) {
    if (rank(judge(fault)) < rank(result.verdict)) result.verdict = judge(fault);
  }
  // A case that only the candidate has and that fails there is the candidate's failure, but the
  // base knows nothing of it: the absence must not soften it. The order above sees to that.
  const bool everywhere = BreaksEverywhere(faults, arms.size());
  if (everywhere)
    result.reason = arms.size() == 2 ? "fails in both arms: " : "fails in every arm: ";
  if (everywhere && AreAlike(faults)) {
    result.reason += name_of(faults.front().kind);
    if (!faults.front().detail.empty()) result.reason += ": " + faults.front().detail;
    return result;
  }
  for (const Fault& fault : faults) {
    if (&fault != &faults.front()) result.reason += "; ";
    result.reason += fault.kind == FaultKind::kOtherWorkload ? workload_reason(fault.detail)
                                                             : name_of(fault.kind);
    if (!IsNobodysFault(fault.kind)) {
      result.reason += ": " + arms[static_cast<std::size_t>(fault.arm)].label;
    }
    if (!fault.detail.empty()) result.reason += ": " + fault.detail;
  }
  return result;
}

}  // namespace perfgate::inline verdict
