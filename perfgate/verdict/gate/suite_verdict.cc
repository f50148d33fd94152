// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/suite_verdict.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "perfgate/evidence/conditions.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/verdict/clock_check.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/exit_order.h"
#include "perfgate/verdict/gate/column_verdict.h"
#include "perfgate/verdict/gate/comparison.h"
#include "perfgate/verdict/gate/layout_stage.h"
#include "perfgate/verdict/gate/suite_summary.h"
#include "perfgate/verdict/gate/unchanged_code.h"
#include "perfgate/verdict/plausibility.h"
#include "perfgate/verdict/result_check.h"
#include "perfgate/verdict/second_clock.h"

namespace perfgate::inline verdict {
namespace {

Severity SeverityOf(const ColumnVerdict& comparison, double hide_limit) {
  switch (comparison.verdict) {
    case Verdict::kInvalid:
      return Severity::kInvalid;
    case Verdict::kFailed:
      return Severity::kFailed;
    case Verdict::kRegression:
      return Severity::kRegression;
    case Verdict::kNotComparable:
    case Verdict::kMissing:
      return Severity::kNotComparable;
    case Verdict::kSuspected:
      return Severity::kSuspected;
    case Verdict::kInconclusive:
      return PassesInconclusive(comparison, hide_limit) ? Severity::kPass : Severity::kInconclusive;
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
      return Severity::kPass;
    case Verdict::kSkipped:
    case Verdict::kNew:
      return Severity::kSkipped;
  }
  return Severity::kInvalid;
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
  suite.jobs = static_cast<int>(session.parts.size());
  suite.layout_rounds = static_cast<int>(
      std::count_if(session.rounds.begin(), session.rounds.end(),
                    [](const RoundInfo& round) { return !round.layouts.empty(); }));
  suite.wall_s = session.wall_s;
  suite.timed_s = session.timed_s;
  suite.policy = session.policy;
  suite.schedule = session.schedule;
  suite.machine = session.machine;
  suite.trust = session.trust;
  suite.arms = session.arms;
  suite.warnings = session.warnings;
  suite.aa = session.arms[0].digest == session.arms[1].digest;
  suite.conditions = typical_conditions(session);
  if (!session.rounds.empty()) suite.cpus = session.rounds.back().cpus;
  for (std::string& warning : build_warnings(session.arms[0], session.arms[1])) {
    suite.warnings.push_back(std::move(warning));
  }
  for (std::string& warning : SecondClockWarnings(session, 0, 1)) {
    suite.warnings.push_back(std::move(warning));
  }
  for (std::string& warning : gpu_warnings(session)) suite.warnings.push_back(std::move(warning));
  return suite;
}

// The arms differ in how they were built: nothing of them compares.
void RefuseComparisons(const std::string& mismatch, std::vector<ColumnVerdict>& comparisons) {
  for (ColumnVerdict& comparison : comparisons) {
    comparison.claim = Claim::kInvalid;
    // The arm decides the blame: what the candidate did wrong stays its failure.
    if (comparison.verdict == Verdict::kInvalid || comparison.verdict == Verdict::kFailed) {
      comparison.reason += "; " + mismatch;
    } else {
      comparison.verdict = Verdict::kNotComparable;
      comparison.reason = mismatch;
    }
  }
}

void add_bounded_warnings(SuiteVerdict& suite) {
  const auto n =
      std::count_if(suite.columns.begin(), suite.columns.end(), [&](const ColumnVerdict& c) {
        return c.gated && c.verdict == Verdict::kInconclusive &&
               PassesInconclusive(c, suite.policy.hide_limit);
      });
  if (n > 0 && suite.exit == Exit::kPass) {
    suite.warnings.push_back(std::to_string(n) +
                             " inconclusive case(s) do not fail the gate: none can hide a "
                             "slowdown beyond the policy's hide_limit");
  }
}

}  // namespace

Exit suite_exit(std::span<const ColumnVerdict> columns, double hide_limit) {
  WorstSeverity worst;
  for (const ColumnVerdict& comparison : columns) {
    if (!comparison.gated) continue;
    if (comparison.verdict == Verdict::kNew) {
      worst.AddNew();
    } else {
      worst.Add(SeverityOf(comparison, hide_limit));
    }
  }
  return worst.exit();
}

// Cases that one arm lacks are missing or new as well, and stand at the case's own time.
bool is_one_sided(const ColumnVerdict& column) {
  return (column.verdict == Verdict::kMissing || column.verdict == Verdict::kNew) &&
         column.metric.name != "real_time";
}

void conclude(const Session& session, SuiteVerdict& suite) {
  sort_worst_first(suite.columns);
  CountChecked(session, suite);
  suite.exit = suite_exit(suite.columns, session.policy.hide_limit);
  // An interrupted experiment may have found a regression, but it cannot have passed.
  if (!suite.complete && suite.exit == Exit::kPass) suite.exit = Exit::kInconclusive;
  suite.summary = count_verdicts(suite.columns);
  add_bounded_warnings(suite);
}

SuiteVerdict judge_columns(const Session& session) {
  SuiteVerdict suite = frame(session);
  const SuiteEvidence evidence(session);
  std::vector<Comparison> comparisons;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    for (std::size_t m = 0; m < std::max<std::size_t>(1, session.metrics.size()); ++m) {
      if (auto comparison = JudgeComparison(evidence, {c, m})) {
        comparisons.push_back(std::move(*comparison));
      }
    }
  }
  // Equally bad comparisons stand in the order of the rules.
  std::stable_sort(comparisons.begin(), comparisons.end(),
                   [](const Comparison& a, const Comparison& b) { return a.rule < b.rule; });
  for (Comparison& comparison : comparisons) suite.columns.push_back(std::move(comparison.verdict));
  FollowInvalidTime(suite.columns);
  if (const auto mismatch = build_mismatch(session.arms[0], session.arms[1])) {
    RefuseComparisons(*mismatch, suite.columns);
  }
  return suite;
}

SuiteVerdict decide(const Session& session) {
  SuiteVerdict suite = judge_columns(WithBrokenPromises(session));
  if (!session.confirmation.empty()) {
    Session stage = SessionOfStage(session, session.confirmation.front());
    suite =
        MergeStages(session, std::move(suite), judge_columns(WithBrokenPromises(std::move(stage))));
  }
  ApplyHotCode(session, suite.columns);
  conclude(session, suite);
  return suite;
}

SuiteVerdict decide_identical(const Session& session) {
  SuiteVerdict suite = frame(session);
  suite.identical = true;
  suite.complete = true;
  std::map<std::size_t, std::vector<Fault>> faults;
  for (const Fault& fault : session.faults) {
    if (fault.metric.empty()) faults[fault.case_index].push_back(fault);
  }
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    // It could not be listed, or lacks a case that the policy expects.
    if (const auto found = faults.find(c); found != faults.end()) {
      suite.columns.push_back(FaultyVerdict(session, {c, 0}, found->second));
      continue;
    }
    suite.columns.push_back(BareVerdict(session, {c, 0}));
    suite.columns.back().verdict = Verdict::kNoRegression;
    suite.columns.back().reason = "identical executable";
  }
  sort_worst_first(suite.columns);
  suite.exit = suite_exit(suite.columns, session.policy.hide_limit);
  suite.summary = count_verdicts(suite.columns);
  return suite;
}

}  // namespace perfgate::inline verdict
