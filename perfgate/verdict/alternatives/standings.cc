// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/standings.h"

#include <algorithm>
#include <cmath>

#include "perfgate/base/text/join.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/faults.h"

namespace perfgate::inline verdict {
namespace {

AlternativeStatus StatusOf(FaultKind kind) {
  switch (kind) {
    case FaultKind::kBadValue:
    case FaultKind::kLeftover:
    case FaultKind::kInvalid:
      return AlternativeStatus::kInvalid;
    case FaultKind::kSkipped:
    case FaultKind::kAbsent:
    case FaultKind::kTooManyThreads:
    case FaultKind::kOtherWorkload:
      return AlternativeStatus::kNotComparable;
    case FaultKind::kUnmeasured:
      return AlternativeStatus::kUnmeasured;
    default:
      return AlternativeStatus::kFailed;
  }
}

// The worse status holds, all reasons are kept.
void Refuse(AlternativeStatus status, const std::string& reason, Standing& standing) {
  standing.status = std::min(standing.status, status);
  AppendItem(standing.reason, reason, "; ");
}

void RefuseAll(AlternativeStatus status, const std::string& reason,
               std::vector<Standing>& standings) {
  for (Standing& standing : standings) Refuse(status, reason, standing);
}

std::vector<Fault> FaultsOf(const Session& session, std::size_t case_index,
                            const std::string& metric) {
  std::vector<Fault> faults;
  for (const Fault& fault : session.faults) {
    const bool concerns = fault.metric.empty() || fault.metric == metric;
    if (fault.case_index == case_index && concerns) faults.push_back(fault);
  }
  return faults;
}

bool AllSkipAlike(const std::vector<Fault>& faults, std::size_t arms) {
  std::vector<bool> skips(arms, false);
  for (const Fault& fault : faults) {
    if (fault.kind != FaultKind::kSkipped || fault.detail != faults.front().detail) return false;
    skips[static_cast<std::size_t>(fault.arm)] = true;
  }
  return std::all_of(skips.begin(), skips.end(), [](bool skip) { return skip; });
}

void EnterFaults(const std::vector<Fault>& faults, std::vector<Standing>& standings) {
  if (!faults.empty() && AllSkipAlike(faults, standings.size())) {
    RefuseAll(AlternativeStatus::kSkipped, "skipped: " + faults.front().detail, standings);
    return;
  }
  for (const Fault& fault : faults) {
    const std::string reason =
        std::string(to_string(fault.kind)) + (fault.detail.empty() ? "" : ": ") + fault.detail;
    if (IsNobodysFault(fault.kind)) {
      RefuseAll(StatusOf(fault.kind), reason, standings);
    } else {
      Refuse(StatusOf(fault.kind), reason, standings[static_cast<std::size_t>(fault.arm)]);
    }
  }
}

void EnterBuilds(const Session& session, std::size_t reference, std::vector<Standing>& standings) {
  for (std::size_t arm = 0; arm < standings.size(); ++arm) {
    if (const auto mismatch = build_mismatch(session.arms[reference], session.arms[arm])) {
      Refuse(AlternativeStatus::kNotComparable,
             *mismatch + " (" + session.arms[reference].label + " against this)", standings[arm]);
    }
  }
}

// Per round the median over the slices of one arm; rounds without a value are left out.
std::vector<double> RoundsOfArm(const Session& session, std::size_t case_index, std::size_t metric,
                                std::size_t arm) {
  std::vector<double> medians;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != case_index) continue;
      const double median = stats::MedianOfFinite(measured.values[metric][arm]);
      if (!std::isnan(median)) medians.push_back(median);
    }
  }
  return medians;
}

void EnterValues(const Session& session, std::size_t case_index, std::size_t metric,
                 std::vector<Standing>& standings) {
  std::vector<bool> has_values(standings.size(), false);
  for (std::size_t arm = 0; arm < standings.size(); ++arm) {
    const std::vector<double> values = RoundsOfArm(session, case_index, metric, arm);
    has_values[arm] = !values.empty();
    if (has_values[arm]) standings[arm].value = stats::median(values);
  }
  const bool any = std::find(has_values.begin(), has_values.end(), true) != has_values.end();
  for (std::size_t arm = 0; arm < standings.size(); ++arm) {
    Standing& standing = standings[arm];
    if (has_values[arm] || !IsCompared(standing)) continue;
    if (any) {
      Refuse(AlternativeStatus::kNotComparable,
             "metric_mismatch: it does not report " + session.metrics[metric].name, standing);
    } else {
      Refuse(AlternativeStatus::kUnmeasured, "no round was finished", standing);
    }
  }
}

// One alternative alone, or any without a reference that is asked for, compares with nothing.
void RequireTwo(const Session& session, const AlternativesQuestion& question,
                std::vector<Standing>& standings) {
  const bool lost = question.only_reference && !IsCompared(standings[question.reference]);
  if (!lost && std::count_if(standings.begin(), standings.end(), IsCompared) >= 2) return;
  for (Standing& standing : standings) {
    if (!IsCompared(standing)) continue;
    Refuse(AlternativeStatus::kNotComparable,
           lost ? "the reference, " + session.arms[question.reference].label + ", has no result"
                : "no other alternative has a result",
           standing);
  }
}

}  // namespace

std::string same_executables_among(const std::vector<ArmInfo>& arms) {
  for (std::size_t b = 0; b < arms.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (arms[a].digest != arms[b].digest) continue;
      return "same_executable: " + arms[a].label + " and " + arms[b].label + " are identical";
    }
  }
  return "";
}

std::vector<Standing> standings_of(const Session& session, std::size_t case_index,
                                   std::size_t metric_index, std::span<const Fault> broken,
                                   const AlternativesQuestion& question) {
  std::vector<Standing> standings(session.arms.size());
  const std::vector<Fault> faults =
      FaultsOf(session, case_index, session.metrics[metric_index].name);
  const std::string same = question.identical_is_meant ? "" : same_executables_among(session.arms);
  if (!same.empty()) RefuseAll(AlternativeStatus::kInvalid, same, standings);
  EnterFaults(faults, standings);
  EnterBuilds(session, question.reference, standings);
  for (const Fault& fault : broken) {
    if (fault.case_index != case_index) continue;
    RefuseAll(AlternativeStatus::kInvalid, "invalid: " + fault.detail, standings);
  }
  EnterValues(session, case_index, metric_index, standings);
  RequireTwo(session, question, standings);
  for (Standing& standing : standings) {
    if (!IsCompared(standing)) standing.value = Standing{}.value;
  }
  return standings;
}

}  // namespace perfgate::inline verdict
