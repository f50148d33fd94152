// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity_verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "perfgate/stats/multiplicity.h"
#include "perfgate/stats/order_statistics.h"
#include "perfgate/stats/signed_rank.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/conditions.h"
#include "perfgate/verdict/parity_exit.h"
#include "perfgate/verdict/parity_faults.h"
#include "perfgate/verdict/parity_pair.h"
#include "perfgate/verdict/published_parity.h"

namespace perfgate {
namespace {

constexpr std::size_t kBaseline = 0;
constexpr std::size_t kHuman = 1;
constexpr std::size_t kAgent = 2;

void require_arms(const Session& session) {
  bool as_expected = session.arms.size() == kParityArms.size();
  for (std::size_t i = 0; as_expected && i < kParityArms.size(); ++i) {
    as_expected = session.arms[i].label == kParityArms[i];
  }
  if (as_expected) return;
  throw Error(Exit::kData,
              "parity needs a session of the arms baseline, human and agent, in this order. Record "
              "it with `perfgate parity --session FILE`.");
}

bool is_input_rate(const std::string& name) { return name.starts_with("input_"); }

struct Preference {
  const char* why;
  bool (*takes)(const std::string& name);
};

constexpr Preference kPreferences[] = {
    {"throughput_first",
     [](const std::string& n) {
       return n.find("throughput") != std::string::npos && !is_input_rate(n);
     }},
    {"tpot_no_throughput", [](const std::string& n) { return n.starts_with("tpot"); }},
    {"ttft_no_tpot", [](const std::string& n) { return n.starts_with("ttft"); }},
    {"latency_only", [](const std::string& n) { return n.find("latency") != std::string::npos; }},
    {"time_of_the_case", [](const std::string& n) { return n == "real_time"; }},
};

// Metrics of a case that some arm has a value of, by arm.
struct Reported {
  std::vector<std::size_t> metrics;
  std::map<std::size_t, std::array<bool, 3>> arms;
};

Reported reported_metrics(const Session& session, std::size_t case_index) {
  Reported reported;
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
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
};

std::vector<Fault> faults_of(const Session& session, std::size_t case_index) {
  std::vector<Fault> faults;
  for (const Fault& fault : session.faults) {
    if (fault.case_index == case_index) faults.push_back(fault);
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

double median_or_nan(const std::vector<double>& values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : stats::median(values);
}

Claim claim_of(const ParityPair& pair) {
  if (std::isnan(pair.effect.lo)) return Claim::kInsufficient;
  if (pair.status == ParityStatus::kMatch) return Claim::kParity;
  if (pair.status == ParityStatus::kWin || pair.status == ParityStatus::kLoss) {
    return Claim::kStrong;
  }
  return pair.effect.lo > 0 || pair.effect.hi < 0 ? Claim::kDirectional : Claim::kNoiseDominated;
}

// The published rule on the medians, in per cent of the human's.
void apply_point_rule(ParityColumn& column) {
  if (!is_relative(column.metric.kind) || std::isnan(column.human) || std::isnan(column.agent)) {
    return;
  }
  const double change = (column.agent - column.human) / column.human;
  column.point_delta = column.metric.direction == Direction::kHigher ? change : -change;
  switch (parity::point_outcome(100 * column.point_delta)) {
    case parity::PointOutcome::kWin:
      column.point_rule = PointRule::kWin;
      break;
    case parity::PointOutcome::kLoss:
      column.point_rule = PointRule::kLoss;
      break;
    default:
      column.point_rule = PointRule::kMatch;
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

ParityPair lost_pair(const std::string& reason) {
  ParityPair pair;
  pair.status = ParityStatus::kNotComparable;
  pair.reason = reason;
  return pair;
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

// Both human and agent report the metric, and nothing forbids to compare them.
ParityColumn compared_column(const Session& session, std::size_t case_index, std::size_t m,
                             const CaseContext& context, bool baseline_reports) {
  ParityColumn column = bare_column(session, case_index, m);
  const std::vector<int>& looks = session.schedule.looks;
  const auto judge = [&](std::size_t first, std::size_t second) {
    return judge_pair(pair_rounds(session, case_index, m, first, second), column.metric,
                      column.margin, looks);
  };
  const std::vector<double> d = pair_rounds(session, case_index, m, kHuman, kAgent);
  column.agent_human = judge_pair(d, column.metric, column.margin, looks);
  const std::string& lost = context.baseline_reason;
  if (!lost.empty()) {
    column.human_baseline = column.agent_baseline = lost_pair(lost);
  } else if (!baseline_reports) {
    column.human_baseline = column.agent_baseline =
        lost_pair("metric_mismatch: the baseline does not report it");
  } else {
    column.human_baseline = judge(kBaseline, kHuman);
    column.agent_baseline = judge(kBaseline, kAgent);
  }
  column.outcome = column.agent_human.status;
  column.vacuous = vacuity(column);
  column.claim = claim_of(column.agent_human);
  column.baseline = median_or_nan(arm_rounds(session, case_index, m, kBaseline));
  column.human = median_or_nan(arm_rounds(session, case_index, m, kHuman));
  column.agent = median_or_nan(arm_rounds(session, case_index, m, kAgent));
  if (column.human_baseline.status == ParityStatus::kNotComparable) {
    column.baseline = std::numeric_limits<double>::quiet_NaN();
    column.reason = "baseline: " + column.human_baseline.reason;
  }
  apply_point_rule(column);
  if (context.primary && context.primary->metric == m) {
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
  for (const std::size_t m : reported.metrics) {
    const auto& [baseline, human, agent] = reported.arms.at(m);
    if (human && agent) {
      columns.push_back(compared_column(session, case_index, m, context, baseline));
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

// Executables that are one and the same can be told apart by noise alone.
std::string same_executables(const Session& session) {
  constexpr std::array<std::array<std::size_t, 2>, 3> kPairs = {
      {{kHuman, kAgent}, {kBaseline, kAgent}, {kBaseline, kHuman}}};
  for (const auto& [a, b] : kPairs) {
    if (session.arms[a].digest == session.arms[b].digest) {
      return "same_executable: " + session.arms[a].label + " and " + session.arms[b].label +
             " are one executable";
    }
  }
  return "";
}

CaseContext context_of(const Session& session, std::size_t case_index, const Reported& reported,
                       const std::string& primary_metric) {
  CaseContext context;
  context.fault = judge_parity_faults(faults_of(session, case_index), session.arms);
  context.baseline_reason = context.fault.baseline_reason;
  if (const auto mismatch = build_mismatch(session.arms[kBaseline], session.arms[kHuman])) {
    context.baseline_reason += (context.baseline_reason.empty() ? "" : "; ") + *mismatch;
  }
  if (!reported.metrics.empty()) {
    context.primary = choose_primary(session.metrics, reported.metrics, primary_metric);
  }
  return context;
}

std::vector<ParityColumn> all_columns(const Session& session, const std::string& primary_metric) {
  const std::string same = same_executables(session);
  const auto mismatch = build_mismatch(session.arms[kHuman], session.arms[kAgent]);
  std::vector<ParityColumn> columns;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    const Reported reported = reported_metrics(session, c);
    CaseContext context = context_of(session, c, reported, primary_metric);
    const auto forbid = [&](ParityStatus status, const std::string& reason) {
      const bool worse = !context.fault.outcome || status < *context.fault.outcome;
      if (worse) context.fault.outcome = status;
      context.fault.reason =
          reason + (context.fault.reason.empty() ? "" : "; ") + context.fault.reason;
    };
    if (mismatch) forbid(ParityStatus::kNotComparable, *mismatch);
    if (!same.empty()) forbid(ParityStatus::kInvalid, same);
    for (ParityColumn& column : columns_of(session, c, context, reported)) {
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

// Holm over the gated primary columns, for wins and for losses.
void adjust_for_cases(std::vector<ParityColumn>& columns) {
  for (const auto member : {&ParityColumn::p_win, &ParityColumn::p_loss}) {
    std::vector<double> p;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool counts = columns[i].primary && columns[i].gated && (columns[i].*member);
      if (!counts) continue;
      p.push_back(*(columns[i].*member));
      of.push_back(i);
    }
    const std::vector<double> adjusted = stats::holm(p);
    for (std::size_t i = 0; i < of.size(); ++i) columns[of[i]].*member = adjusted[i];
  }
}

bool is_decided(ParityStatus status) {
  return status == ParityStatus::kWin || status == ParityStatus::kMatch ||
         status == ParityStatus::kLoss;
}

std::vector<std::string> conflicts_in(const std::vector<ParityColumn>& columns) {
  std::map<std::string, const ParityColumn*> primary;
  for (const ParityColumn& column : columns) {
    if (column.primary) primary[column.case_name] = &column;
  }
  std::vector<std::string> conflicts;
  for (const ParityColumn& column : columns) {
    const auto found = primary.find(column.case_name);
    if (column.primary || found == primary.end()) continue;
    const ParityColumn& first = *found->second;
    if (!is_decided(first.outcome) || !is_decided(column.outcome) ||
        first.outcome == column.outcome) {
      continue;
    }
    conflicts.push_back(column.case_name + ": " + first.metric.name + " (primary) says " +
                        std::string(to_string(first.outcome)) + ", " + column.metric.name +
                        " says " + std::string(to_string(column.outcome)));
  }
  return conflicts;
}

void sort_worst_first(std::vector<ParityColumn>& columns) {
  const auto key = [](const ParityColumn& column) {
    const int shown = column.primary && column.gated ? 0 : 100;
    return shown + static_cast<int>(column.outcome);
  };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const ParityColumn& a, const ParityColumn& b) {
                     if (key(a) != key(b)) return key(a) < key(b);
                     const double x = a.agent_human.effect.estimate;
                     const double y = b.agent_human.effect.estimate;
                     return (std::isnan(x) ? -1e300 : x) > (std::isnan(y) ? -1e300 : y);
                   });
}

ParityVerdict frame(const Session& session) {
  ParityVerdict verdict;
  verdict.session_id = session.id;
  verdict.suite = session.suite;
  verdict.tool = session.tool;
  verdict.started = session.started;
  verdict.complete = session.complete;
  verdict.rounds = static_cast<int>(session.rounds.size());
  verdict.wall_s = session.wall_s;
  verdict.timed_s = session.timed_s;
  verdict.policy = session.policy;
  verdict.schedule = session.schedule;
  verdict.machine = session.machine;
  verdict.arms = session.arms;
  verdict.warnings = session.warnings;
  verdict.conditions = typical_conditions(session);
  if (!session.rounds.empty()) verdict.cpus = session.rounds.back().cpus;
  for (std::string& warning : build_warnings(session.arms[kHuman], session.arms[kAgent])) {
    verdict.warnings.push_back(std::move(warning));
  }
  return verdict;
}

}  // namespace

PrimaryChoice choose_primary(const std::vector<Metric>& metrics,
                             const std::vector<std::size_t>& reported, const std::string& named) {
  for (const std::size_t m : reported) {
    if (!named.empty() && metrics[m].name == named) return {m, "named_by_the_user"};
  }
  for (const Preference& preference : kPreferences) {
    for (const std::size_t m : reported) {
      if (preference.takes(metrics[m].name)) return {m, preference.why};
    }
  }
  return {reported.front(), "first_reported"};
}

ParityVerdict decide_parity(const Session& session, const std::string& primary_metric) {
  require_arms(session);
  ParityVerdict verdict = frame(session);
  verdict.columns = all_columns(session, primary_metric);
  adjust_for_cases(verdict.columns);
  verdict.conflicts = conflicts_in(verdict.columns);
  sort_worst_first(verdict.columns);
  verdict.exit = parity_exit(verdict.columns);
  // An interrupted experiment may have lost, but it cannot have shown parity.
  if (!session.complete && verdict.exit == Exit::kPass) verdict.exit = Exit::kInconclusive;
  verdict.summary = parity_summary(verdict.columns);
  return verdict;
}

std::vector<bool> open_parity_cases(const Session& session, const std::string& primary_metric) {
  require_arms(session);
  std::vector<bool> open(session.cases.size(), false);
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    const Reported reported = reported_metrics(session, c);
    const CaseContext context = context_of(session, c, reported, primary_metric);
    for (const ParityColumn& column : columns_of(session, c, context, reported)) {
      if (!column.primary || !column.gated || context.fault.outcome) continue;
      const bool vacuity_open = column.outcome == ParityStatus::kMatch &&
                                column.human_baseline.status == ParityStatus::kUnresolved;
      if (column.outcome == ParityStatus::kUnresolved || vacuity_open) open[c] = true;
    }
  }
  return open;
}

}  // namespace perfgate
