// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/published/published_rules.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/case_rounds.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/few_samples.h"
#include "perfgate/verdict/one_sided.h"
#include "perfgate/verdict/parity/parity_faults.h"
#include "perfgate/verdict/parity/parity_pair.h"
#include "perfgate/verdict/parity/primary_choice.h"
#include "perfgate/verdict/plausibility.h"
#include "perfgate/verdict/second_clock.h"

namespace perfgate::inline verdict {
namespace {

// Metrics of a case that some arm has a value of, by arm.
struct Reported {
  std::vector<std::size_t> metrics;
  std::map<std::size_t, std::array<bool, 3>> arms;
};

Reported reported_metrics(const Session& session, std::size_t case_index) {
  Reported reported;
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
    if (is_informational(session.metrics[m].name)) continue;
    std::array<bool, 3> arms = {};
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
      arms[arm] = !arm_rounds(session, case_index, m, arm).empty();
    }
    if (!arms[kBaseline] && !arms[kHuman] && !arms[kAgent]) continue;
    reported.metrics.push_back(m);
    reported.arms[m] = arms;
  }
  return reported;
}

struct CaseContext {
  ParityFault fault;
  std::string baseline_reason;  // of the case's faults and of the builds
  std::optional<PrimaryChoice> primary;
  std::vector<RoundsOfCase> rounds{};  // by case
};

// metric: empty for what concerns the whole case.
std::vector<Fault> faults_of(const Session& session, std::size_t case_index,
                             const std::string& metric) {
  std::vector<Fault> faults;
  for (const Fault& fault : session.faults) {
    if (fault.case_index == case_index && fault.metric == metric) faults.push_back(fault);
  }
  return faults;
}

ParityColumn bare_column(const Session& session, std::size_t case_index, std::size_t metric) {
  ParityColumn column;
  column.case_name = session.cases[case_index].name;
  if (metric < session.metrics.size()) column.metric = session.metrics[metric];
  const ColumnPolicy policy = column_policy(session.policy, column.case_name, column.metric);
  column.gated = policy.gate;
  column.margin = policy.tolerance;
  return column;
}

Claim claim_of_pair(const ParityPair& pair) {
  if (pair.status == ParityStatus::kInvalid) return Claim::kInvalid;
  if (std::isnan(pair.effect.lo)) return Claim::kInsufficient;
  if (pair.status == ParityStatus::kMatch) return Claim::kParity;
  if (pair.status == ParityStatus::kWin || pair.status == ParityStatus::kLoss) {
    return Claim::kStrong;
  }
  return pair.effect.lo > 0 || pair.effect.hi < 0 ? Claim::kDirectional : Claim::kNoiseDominated;
}

// Means that a tool formed and percentiles of few calls carry no claim, and what was not measured
// side by side at most a direction.
void cap_claim(const Session& session, std::size_t case_index, std::size_t metric,
               ParityColumn& column) {
  const std::vector<std::string>& averaged = session.cases[case_index].aggregates;
  if (std::find(averaged.begin(), averaged.end(), column.metric.name) != averaged.end()) {
    column.outcome = column.agent_human.status = ParityStatus::kUnresolved;
    column.human_baseline.status = column.agent_baseline.status = ParityStatus::kUnresolved;
    column.claim = Claim::kInsufficient;
    column.vacuous.reset();
    column.reason = "aggregate_only: a tool averaged the values";
  } else if (std::string few = FewSamples(session, case_index, metric); !few.empty()) {
    column.outcome = column.agent_human.status = ParityStatus::kUnresolved;
    column.claim = Claim::kInsufficient;
    column.vacuous.reset();
    column.reason = std::move(few);
  } else if (session.grade != "paired" &&
             (column.claim == Claim::kStrong || column.claim == Claim::kParity)) {
    column.claim = Claim::kDirectional;
    AppendItem(column.reason, "evidence: " + session.grade, "; ");
  }
}

// p of a win and of a loss at the rounds that decided, times the looks that were taken.
void add_p_values(const Session& session, std::span<const double> d, ParityColumn& column) {
  const int n = static_cast<int>(d.size());
  if (n < stats::kMinimumRounds) return;
  const double bound = is_relative(column.metric.kind) ? std::log1p(column.margin) : column.margin;
  const auto looks =
      std::count_if(session.schedule.looks.begin(), session.schedule.looks.end(),
                    [n](int look) { return look >= stats::kMinimumRounds && look <= n; });
  const double taken = static_cast<double>(std::max<std::ptrdiff_t>(1, looks));
  std::vector<double> turned(d.begin(), d.end());
  for (double& value : turned) value = -value;
  column.p_win = std::min(1.0, taken * stats::signed_rank_p_below(d, -bound));
  column.p_loss = std::min(1.0, taken * stats::signed_rank_p_below(turned, -bound));
}

std::optional<bool> vacuity(const ParityColumn& column) {
  if (column.outcome != ParityStatus::kMatch) return std::nullopt;
  switch (column.human_baseline.status) {
    case ParityStatus::kMatch:
      return true;
    case ParityStatus::kWin:
    case ParityStatus::kLoss:
      return false;
    default:
      return std::nullopt;
  }
}

// Both human and agent report the metric, and nothing forbids to compare them. baseline_gap: why
// the baseline's values of it cannot be used; empty: they can.
ParityColumn compared_column(const Session& session, std::size_t case_index, std::size_t m,
                             const CaseContext& context, const ParityFault& metric_fault,
                             const std::string& baseline_gap) {
  ParityColumn column = bare_column(session, case_index, m);
  const std::vector<int>& looks = session.schedule.looks;
  const auto judge = [&](std::size_t first, std::size_t second) {
    ParityPair pair = judge_pair(pair_rounds(session, case_index, m, first, second), column.metric,
                                 column.margin, looks);
    ApplySecondClock(session, WallExcessOf(context.rounds[case_index], first, second),
                     column.metric, column.margin, pair);
    ApplyPlausibility({session, context.rounds, case_index, m, first, second}, pair);
    return pair;
  };
  const std::vector<double> d = pair_rounds(session, case_index, m, kHuman, kAgent);
  column.agent_human = judge(kHuman, kAgent);
  const std::string& lost =
      context.baseline_reason.empty() ? metric_fault.baseline_reason : context.baseline_reason;
  if (!lost.empty()) {
    column.human_baseline = column.agent_baseline = lost_pair(lost);
  } else if (!baseline_gap.empty()) {
    column.human_baseline = column.agent_baseline = lost_pair(baseline_gap);
  } else {
    column.human_baseline = judge(kBaseline, kHuman);
    column.agent_baseline = judge(kBaseline, kAgent);
  }
  column.outcome = column.agent_human.status;
  column.vacuous = vacuity(column);
  column.claim = claim_of_pair(column.agent_human);
  column.reason = column.agent_human.reason;
  column.baseline = stats::MedianOfFinite(arm_rounds(session, case_index, m, kBaseline));
  column.human = stats::MedianOfFinite(arm_rounds(session, case_index, m, kHuman));
  column.agent = stats::MedianOfFinite(arm_rounds(session, case_index, m, kAgent));
  if (column.human_baseline.status == ParityStatus::kNotComparable) {
    column.baseline = std::numeric_limits<double>::quiet_NaN();
    AppendItem(column.reason, "baseline: " + column.human_baseline.reason, "; ");
  }
  // Why nobody knows what the match is worth.
  if (column.outcome == ParityStatus::kMatch &&
      column.human_baseline.status == ParityStatus::kInvalid) {
    AppendItem(column.reason, "human: " + column.human_baseline.reason, "; ");
  }
  apply_point_rule(column);
  cap_claim(session, case_index, m, column);
  if (column.claim != Claim::kInsufficient && column.claim != Claim::kInvalid && context.primary &&
      context.primary->metric == m) {
    add_p_values(session, rounds_of(column.agent_human, d), column);
  }
  return column;
}

ParityColumn refused_column(const Session& session, std::size_t case_index, std::size_t metric,
                            ParityStatus outcome, const std::string& reason) {
  ParityColumn column = bare_column(session, case_index, metric);
  column.outcome = outcome;
  column.claim = outcome == ParityStatus::kUnresolved ? Claim::kInsufficient : Claim::kInvalid;
  column.reason = reason;
  for (ParityPair* pair : {&column.agent_human, &column.human_baseline, &column.agent_baseline}) {
    *pair = lost_pair(reason);
  }
  return column;
}

std::vector<ParityColumn> columns_of(const Session& session, std::size_t case_index,
                                     const CaseContext& context, const Reported& reported) {
  std::vector<ParityColumn> columns;
  if (context.fault.outcome || reported.metrics.empty()) {
    columns.push_back(refused_column(
        session, case_index, 0, context.fault.outcome.value_or(ParityStatus::kUnresolved),
        context.fault.outcome ? context.fault.reason : "unmeasured: no round was finished"));
    columns.back().primary = true;
    columns.back().primary_why = "the case as a whole";
    return columns;
  }
  const auto gaps_between = [&](std::size_t first, std::size_t second) {
    std::map<std::size_t, std::string> reasons;
    for (const auto& [m, found] : one_sided_metrics(session, case_index, first, second)) {
      reasons[m] = one_sided_reason(found, session.arms[first].label, session.arms[second].label);
    }
    return reasons;
  };
  const std::map<std::size_t, std::string> gaps = gaps_between(kHuman, kAgent);
  // Where human and agent have the same slices, a gap to the one is a gap to the other.
  std::map<std::size_t, std::string> baseline_gaps = gaps_between(kBaseline, kHuman);
  for (const std::size_t m : reported.metrics) {
    const auto& [baseline, human, agent] = reported.arms.at(m);
    if (!baseline) baseline_gaps[m] = "metric_mismatch: the baseline does not report it";
    const ParityFault fault =
        judge_parity_faults(faults_of(session, case_index, session.metrics[m].name), session.arms);
    if (fault.outcome) {
      columns.push_back(refused_column(session, case_index, m, *fault.outcome, fault.reason));
    } else if (human && agent && gaps.contains(m)) {
      columns.push_back(refused_column(session, case_index, m, ParityStatus::kInvalid, gaps.at(m)));
    } else if (human && agent) {
      columns.push_back(compared_column(session, case_index, m, context, fault, baseline_gaps[m]));
    } else {
      const bool missing = human;
      columns.push_back(refused_column(
          session, case_index, m, missing ? ParityStatus::kMissing : ParityStatus::kNotComparable,
          std::string("metric_mismatch: the ") + (missing ? "agent" : "human") +
              " does not report it"));
    }
    if (context.primary && context.primary->metric == m) {
      columns.back().primary = true;
      columns.back().primary_why = context.primary->why;
    }
  }
  return columns;
}

CaseContext context_of(const Session& session, std::size_t case_index, const Reported& reported,
                       const std::string& primary_metric) {
  CaseContext context;
  context.rounds = RoundsByCase(session);
  context.fault = judge_parity_faults(faults_of(session, case_index, ""), session.arms);
  context.baseline_reason = context.fault.baseline_reason;
  if (const auto mismatch = build_mismatch(session.arms[kBaseline], session.arms[kHuman])) {
    AppendItem(context.baseline_reason, *mismatch, "; ");
  }
  if (!reported.metrics.empty()) {
    context.primary = choose_primary(session.metrics, reported.metrics, primary_metric);
  }
  return context;
}

}  // namespace

void apply_point_rule(ParityColumn& column) {
  if (!is_relative(column.metric.kind) || std::isnan(column.human) || std::isnan(column.agent)) {
    return;
  }
  const double change = (column.agent - column.human) / column.human;
  column.point_delta = column.metric.direction == Direction::kHigher ? change : -change;
  switch (published::point_outcome(100 * column.point_delta)) {
    case published::PointOutcome::kWin:
      column.point_rule = PointRule::kWin;
      break;
    case published::PointOutcome::kLoss:
      column.point_rule = PointRule::kLoss;
      break;
    default:
      column.point_rule = PointRule::kMatch;
  }
}

std::vector<ParityColumn> judge_parity_case(const Session& session, std::size_t case_index,
                                            const std::string& primary_metric,
                                            const std::vector<ParityRefusal>& refusals) {
  const Reported reported = reported_metrics(session, case_index);
  CaseContext context = context_of(session, case_index, reported, primary_metric);
  ParityFault& fault = context.fault;
  for (const ParityRefusal& refusal : refusals) {
    fault.outcome = std::min(fault.outcome.value_or(refusal.status), refusal.status);
    fault.reason = refusal.reason + (fault.reason.empty() ? "" : "; ") + fault.reason;
  }
  return columns_of(session, case_index, context, reported);
}

}  // namespace perfgate::inline verdict
