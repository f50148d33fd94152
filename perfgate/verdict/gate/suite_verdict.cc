// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/suite_verdict.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/verdict/clock_check.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/conditions.h"
#include "perfgate/verdict/faults.h"
#include "perfgate/verdict/gate/column_verdict.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/suite_summary.h"
#include "perfgate/verdict/one_sided.h"

namespace perfgate::inline verdict {
namespace {

std::map<std::size_t, std::vector<Fault>> faults_by_case(const Session& session) {
  std::map<std::size_t, std::vector<Fault>> result;
  for (const Fault& fault : session.faults) {
    if (fault.metric.empty()) result[fault.case_index].push_back(fault);
  }
  return result;
}

// Faults of single metrics, by case and name.
using MetricFaults = std::map<std::pair<std::size_t, std::string>, std::vector<Fault>>;

MetricFaults faults_by_metric(const Session& session) {
  MetricFaults result;
  for (const Fault& fault : session.faults) {
    if (!fault.metric.empty()) result[{fault.case_index, fault.metric}].push_back(fault);
  }
  return result;
}

ColumnVerdict bare_column(const Session& session, std::size_t case_index, const Metric& metric) {
  ColumnVerdict verdict;
  verdict.case_name = session.cases[case_index].name;
  verdict.metric = metric;
  const ColumnPolicy policy = column_policy(session.policy, verdict.case_name, verdict.metric);
  verdict.gated = policy.gate;
  verdict.tolerance = policy.tolerance;
  verdict.setup_share = session.cases[case_index].setup_share;
  return verdict;
}

// For what is said of a case as a whole.
ColumnVerdict bare_column(const Session& session, std::size_t case_index) {
  return bare_column(session, case_index,
                     session.metrics.empty() ? Metric{} : session.metrics.front());
}

ColumnVerdict faulty_column(const Session& session, ColumnVerdict verdict,
                            const std::vector<Fault>& faults) {
  const FaultVerdict fault = *judge_faults(faults, session.arms);
  verdict.verdict = fault.verdict;
  verdict.reason = fault.reason;
  verdict.claim = fault.verdict == Verdict::kInconclusive ? Claim::kInsufficient : Claim::kInvalid;
  return verdict;
}

bool is_inconclusive_but_bounded(const ColumnVerdict& column, double hide_limit) {
  return !is_withheld_by_clock(column) && is_relative(column.metric.kind) &&
         !std::isnan(column.effect.hi) && column.effect.hi < hide_limit;
}

// Index in the order in which exits apply; larger is milder.
int exit_rank(const ColumnVerdict& column, double hide_limit) {
  switch (column.verdict) {
    case Verdict::kInvalid:
      return 0;
    case Verdict::kFailed:
      return 1;
    case Verdict::kRegression:
      return 2;
    case Verdict::kNotComparable:
    case Verdict::kMissing:
      return 3;
    case Verdict::kSuspected:
      return 4;
    case Verdict::kInconclusive:
      return is_inconclusive_but_bounded(column, hide_limit) ? 6 : 5;
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
      return 6;
    case Verdict::kSkipped:
    case Verdict::kNew:
      return 7;
  }
  return 0;
}

SuiteVerdict frame(const Session& session) {
  if (session.arms.size() != 2) {
    throw Error(Exit::kData, "a gate needs a session of two arms; this one has " +
                                 std::to_string(session.arms.size()) +
                                 ". Record it with `perfgate gate --session FILE`.");
  }
  if (session.arms[0].label == "candidate" && session.arms[1].label == "baseline") {
    throw Error(Exit::kInvalid,
                "arms_swapped: the session's first arm is labelled candidate and its second "
                "baseline; the first is the baseline");
  }
  SuiteVerdict suite;
  suite.session_id = session.id;
  suite.suite = session.suite;
  suite.tool = session.tool;
  suite.started = session.started;
  suite.complete = session.complete;
  if (session.grade == "paired_serial") suite.grade = session.grade;
  suite.rounds = static_cast<int>(session.rounds.size());
  suite.wall_s = session.wall_s;
  suite.timed_s = session.timed_s;
  suite.policy = session.policy;
  suite.schedule = session.schedule;
  suite.machine = session.machine;
  suite.arms = session.arms;
  suite.warnings = session.warnings;
  suite.aa = session.arms[0].digest == session.arms[1].digest;
  suite.conditions = typical_conditions(session);
  if (!session.rounds.empty()) suite.cpus = session.rounds.back().cpus;
  for (std::string& warning : build_warnings(session.arms[0], session.arms[1])) {
    suite.warnings.push_back(std::move(warning));
  }
  for (std::string& warning : gpu_warnings(session)) suite.warnings.push_back(std::move(warning));
  return suite;
}

// A metric that one arm never reports is missing or new, and one that the arms report in different
// rounds cannot be judged by those that are left.
ColumnVerdict one_sided_column(const Session& session, std::size_t case_index, std::size_t metric,
                               const OneSided& found) {
  ColumnVerdict verdict = bare_column(session, case_index, session.metrics[metric]);
  verdict.verdict = found.reports[0] && found.reports[1] ? Verdict::kInvalid
                    : found.reports[0]                   ? Verdict::kMissing
                                                         : Verdict::kNew;
  verdict.reason = one_sided_reason(found, session.arms[0].label, session.arms[1].label);
  verdict.claim = Claim::kInvalid;
  return verdict;
}

// By index of case and metric.
using OneSidedColumns = std::map<std::pair<std::size_t, std::size_t>, ColumnVerdict>;

OneSidedColumns one_sided_columns(const Session& session, const MetricFaults& faults) {
  OneSidedColumns columns;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    for (const auto& [m, found] : one_sided_metrics(session, c, 0, 1)) {
      // A case of whose time one arm knows nothing is unmeasured.
      if (m == 0 && !(found.reports[0] && found.reports[1])) continue;
      if (faults.contains({c, session.metrics[m].name})) continue;
      columns.emplace(std::pair(c, m), one_sided_column(session, c, m, found));
    }
  }
  return columns;
}

void add_bounded_warnings(SuiteVerdict& suite) {
  const auto n =
      std::count_if(suite.columns.begin(), suite.columns.end(), [&](const ColumnVerdict& c) {
        return c.gated && c.verdict == Verdict::kInconclusive &&
               is_inconclusive_but_bounded(c, suite.policy.hide_limit);
      });
  if (n > 0 && suite.exit == Exit::kPass) {
    suite.warnings.push_back(std::to_string(n) +
                             " inconclusive case(s) do not fail the gate: none can hide a "
                             "slowdown beyond the policy's hide_limit");
  }
}

}  // namespace

Exit suite_exit(std::span<const ColumnVerdict> columns, double hide_limit) {
  constexpr Exit kExits[] = {Exit::kInvalid,       Exit::kFailed,    Exit::kRegression,
                             Exit::kNotComparable, Exit::kSuspected, Exit::kInconclusive,
                             Exit::kPass,          Exit::kSkipped};
  int worst = 8;
  bool any_new = false;
  for (const ColumnVerdict& column : columns) {
    if (!column.gated) continue;
    any_new = any_new || column.verdict == Verdict::kNew;
    worst = std::min(worst, exit_rank(column, hide_limit));
  }
  if (worst == 8 || (worst == 7 && any_new)) return Exit::kNotComparable;
  return kExits[worst];
}

// Cases that one arm lacks are missing or new as well, and stand at the case's own time.
bool is_one_sided(const ColumnVerdict& column) {
  return (column.verdict == Verdict::kMissing || column.verdict == Verdict::kNew) &&
         column.metric.name != "real_time";
}

void conclude(const Session& session, SuiteVerdict& suite) {
  sort_worst_first(suite.columns);
  suite.exit = suite_exit(suite.columns, session.policy.hide_limit);
  // An interrupted experiment may have found a regression, but it cannot have passed.
  if (!session.complete && suite.exit == Exit::kPass) suite.exit = Exit::kInconclusive;
  suite.summary = count_verdicts(suite.columns);
  add_bounded_warnings(suite);
}

SuiteVerdict judge_columns(const Session& session) {
  SuiteVerdict suite = frame(session);
  const std::optional<std::string> mismatch = build_mismatch(session.arms[0], session.arms[1]);
  const auto faults = faults_by_case(session);
  const MetricFaults metric_faults = faults_by_metric(session);
  const OneSidedColumns one_sided = one_sided_columns(session, metric_faults);
  const std::vector<Column> columns =
      make_columns(session, static_cast<int>(session.rounds.size()));
  const std::vector<stats::ColumnState> states = run_looks(session, columns);

  ColumnContext context;
  for (const double alpha : session.schedule.look_alpha) {
    if (alpha > 0) context.alpha_last = alpha;
  }
  context.undecided = std::max<int>(
      1, static_cast<int>(std::count_if(states.begin(), states.end(), [](const auto& s) {
        return s.outcome == stats::Outcome::kUndecided;
      })));

  std::vector<bool> judged(session.cases.size(), false);
  for (const auto& [case_index, list] : faults) {
    suite.columns.push_back(faulty_column(session, bare_column(session, case_index), list));
    judged[case_index] = true;
  }
  for (const auto& [column, list] : metric_faults) {
    const auto& [case_index, name] = column;
    if (faults.contains(case_index)) continue;
    const auto metric =
        std::find_if(session.metrics.begin(), session.metrics.end(),
                     [&, wanted = name](const Metric& m) { return m.name == wanted; });
    suite.columns.push_back(
        faulty_column(session, bare_column(session, case_index, *metric), list));
    if (metric == session.metrics.begin()) judged[case_index] = true;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Metric& metric = session.metrics[columns[c].metric_index];
    if (faults.contains(columns[c].case_index)) continue;
    if (metric_faults.contains({columns[c].case_index, metric.name})) continue;
    if (one_sided.contains({columns[c].case_index, columns[c].metric_index})) continue;
    suite.columns.push_back(judge_column(session, columns[c], states[c], context));
    confirm_in_cycles(session, columns[c], suite.columns.back());
    judged[columns[c].case_index] = true;
  }
  for (const auto& [key, column] : one_sided) {
    suite.columns.push_back(column);
    if (key.second == 0) judged[key.first] = true;
  }
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    if (judged[c]) continue;
    ColumnVerdict verdict = bare_column(session, c);
    verdict.verdict = Verdict::kInconclusive;
    verdict.reason = "unmeasured: no round of it was finished";
    suite.columns.push_back(verdict);
  }
  if (mismatch) {
    for (ColumnVerdict& column : suite.columns) {
      column.claim = Claim::kInvalid;
      // The arm decides the blame: what the candidate did wrong stays its failure.
      if (column.verdict == Verdict::kInvalid || column.verdict == Verdict::kFailed) {
        column.reason += "; " + *mismatch;
      } else {
        column.verdict = Verdict::kNotComparable;
        column.reason = *mismatch;
      }
    }
  }
  return suite;
}

SuiteVerdict decide(const Session& session) {
  SuiteVerdict suite = judge_columns(session);
  conclude(session, suite);
  return suite;
}

SuiteVerdict decide_identical(const Session& session) {
  SuiteVerdict suite = frame(session);
  suite.identical = true;
  suite.complete = true;
  const auto faults = faults_by_case(session);
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    // It could not be listed, or lacks a case that the policy expects.
    if (const auto found = faults.find(c); found != faults.end()) {
      suite.columns.push_back(faulty_column(session, bare_column(session, c), found->second));
      continue;
    }
    ColumnVerdict verdict = bare_column(session, c);
    verdict.verdict = Verdict::kNoRegression;
    verdict.reason = "identical executable";
    suite.columns.push_back(verdict);
  }
  sort_worst_first(suite.columns);
  suite.exit = suite_exit(suite.columns, session.policy.hide_limit);
  suite.summary = count_verdicts(suite.columns);
  return suite;
}

}  // namespace perfgate::inline verdict
