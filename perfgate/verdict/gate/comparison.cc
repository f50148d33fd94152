// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/comparison.h"

#include <algorithm>
#include <utility>

#include "perfgate/verdict/clock_check.h"
#include "perfgate/verdict/faults.h"
#include "perfgate/verdict/few_samples.h"
#include "perfgate/verdict/gate/layout_stage.h"
#include "perfgate/verdict/plausibility.h"

namespace perfgate::inline verdict {
namespace {

constexpr std::size_t kTime = 0;  // the metric at which a case as a whole stands

std::size_t MetricIndex(const Session& session, const std::string& name) {
  const auto found = std::find_if(session.metrics.begin(), session.metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return static_cast<std::size_t>(found - session.metrics.begin());
}

using Judged = std::optional<ColumnVerdict>;

Judged FromCaseFault(const SuiteEvidence& evidence, const ComparisonKey& key) {
  const auto found = evidence.case_faults.find(key.first);
  if (found == evidence.case_faults.end() || key.second != kTime) return std::nullopt;
  return FaultyVerdict(evidence.session, key, found->second);
}

Judged FromMetricFault(const SuiteEvidence& evidence, const ComparisonKey& key) {
  const auto found = evidence.metric_faults.find(key);
  const bool case_failed = evidence.case_faults.contains(key.first);
  if (found == evidence.metric_faults.end() || case_failed) return std::nullopt;
  return FaultyVerdict(evidence.session, key, found->second);
}

// A metric that one arm never reports is missing or new, and one that the arms report in different
// rounds cannot be judged by those that are left.
Judged FromOneSided(const SuiteEvidence& evidence, const ComparisonKey& key) {
  const auto found = evidence.one_sided.find(key);
  if (found == evidence.one_sided.end()) return std::nullopt;
  const OneSided& one_sided = found->second;
  const std::vector<ArmInfo>& arms = evidence.session.arms;
  ColumnVerdict verdict = BareVerdict(evidence.session, key);
  verdict.verdict = one_sided.reports[0] && one_sided.reports[1] ? Verdict::kInvalid
                    : one_sided.reports[0]                       ? Verdict::kMissing
                                                                 : Verdict::kNew;
  verdict.reason = one_sided_reason(one_sided, arms[0].label, arms[1].label);
  verdict.claim = Claim::kInvalid;
  return verdict;
}

Judged FromRounds(const SuiteEvidence& evidence, const ComparisonKey& key) {
  const auto found = evidence.measured.find(key);
  const bool case_failed = evidence.case_faults.contains(key.first);
  if (found == evidence.measured.end() || case_failed || evidence.one_sided.contains(key)) {
    return std::nullopt;
  }
  const Column& column = evidence.columns[found->second];
  ColumnVerdict verdict =
      judge_column(evidence.session, column, evidence.sides[found->second], evidence.context);
  confirm_in_cycles(evidence.session, column, verdict);
  if (std::string few = FewSamples(evidence.session, key.first, key.second); !few.empty()) {
    verdict.gated = false;
    verdict.reason = std::move(few);
  }
  ApplySecondClock(evidence.session, evidence.wall[key.first], verdict);
  ApplyPlausibility({evidence.session, evidence.rounds, key.first, key.second}, verdict);
  return verdict;
}

// Whether any round of the case was finished.
bool IsMeasured(const SuiteEvidence& evidence, std::size_t case_index) {
  const auto first = evidence.measured.lower_bound({case_index, 0});
  return std::any_of(first, evidence.measured.end(), [&](const auto& entry) {
    const auto& key = entry.first;
    return key.first == case_index && !evidence.metric_faults.contains(key) &&
           !evidence.one_sided.contains(key);
  });
}

Judged FromNothing(const SuiteEvidence& evidence, const ComparisonKey& key) {
  if (key.second != kTime || IsMeasured(evidence, key.first)) return std::nullopt;
  ColumnVerdict verdict = BareVerdict(evidence.session, key);
  verdict.verdict = Verdict::kInconclusive;
  verdict.reason = "unmeasured: no round of it was finished";
  return verdict;
}

struct Rule {
  ComparisonRule name;
  Judged (*judge)(const SuiteEvidence& evidence, const ComparisonKey& key);
};

// The first that has an answer gives the verdict.
constexpr Rule kPrecedence[] = {
    {ComparisonRule::kCaseFault, FromCaseFault}, {ComparisonRule::kMetricFault, FromMetricFault},
    {ComparisonRule::kRounds, FromRounds},       {ComparisonRule::kOneSided, FromOneSided},
    {ComparisonRule::kUnmeasured, FromNothing},
};

}  // namespace

SuiteEvidence::SuiteEvidence(const Session& measured_session)
    : session(measured_session),
      columns(make_columns(session, static_cast<int>(session.rounds.size()))),
      sides(run_both_sides(session, columns)),
      rounds(RoundsByCase(session)) {
  for (const RoundsOfCase& of_case : rounds) wall.push_back(WallExcessOf(of_case, 0, 1));
  for (const Fault& fault : session.faults) {
    if (fault.metric.empty()) {
      case_faults[fault.case_index].push_back(fault);
    } else {
      metric_faults[{fault.case_index, MetricIndex(session, fault.metric)}].push_back(fault);
    }
  }
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    for (const auto& [m, found] : one_sided_metrics(session, c, 0, 1)) {
      // A case of whose time one arm knows nothing is unmeasured.
      if (m == kTime && !(found.reports[0] && found.reports[1])) continue;
      if (!metric_faults.contains({c, m})) one_sided.emplace(ComparisonKey(c, m), found);
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    measured.emplace(ComparisonKey(columns[i].case_index, columns[i].metric_index), i);
  }
  context.reuses_layouts = ReusesLayouts(session);
  for (const double alpha : session.schedule.look_alpha) {
    if (alpha > 0) context.alpha_last = alpha;
  }
  const auto undecided = std::count_if(sides.begin(), sides.end(), [](const BothSides& both) {
    return both.slower.outcome == stats::Outcome::kUndecided;
  });
  context.undecided = std::max(1, static_cast<int>(undecided));
}

std::optional<Comparison> JudgeComparison(const SuiteEvidence& evidence, const ComparisonKey& key) {
  for (const Rule& rule : kPrecedence) {
    if (Judged verdict = rule.judge(evidence, key)) return Comparison{rule.name, *verdict};
  }
  return std::nullopt;
}

ColumnVerdict BareVerdict(const Session& session, const ComparisonKey& key) {
  ColumnVerdict verdict;
  verdict.case_name = session.cases[key.first].name;
  verdict.metric = session.metrics.empty() ? Metric{} : session.metrics[key.second];
  const ColumnPolicy policy = column_policy(session.policy, verdict.case_name, verdict.metric);
  verdict.gated = policy.gate;
  verdict.tolerance = policy.tolerance;
  verdict.setup_share = session.cases[key.first].setup_share;
  return verdict;
}

ColumnVerdict FaultyVerdict(const Session& session, const ComparisonKey& key,
                            const std::vector<Fault>& faults) {
  ColumnVerdict verdict = BareVerdict(session, key);
  const FaultVerdict fault = *judge_faults(faults, session.arms);
  verdict.verdict = fault.verdict;
  verdict.reason = fault.reason;
  verdict.claim = fault.verdict == Verdict::kInconclusive ? Claim::kInsufficient : Claim::kInvalid;
  return verdict;
}

}  // namespace perfgate::inline verdict
