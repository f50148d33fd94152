// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/stored_gate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "perfgate/base/text/join.h"
#include "perfgate/stats/design/stored.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/effect.h"
#include "perfgate/verdict/faults.h"
#include "perfgate/verdict/few_samples.h"
#include "perfgate/verdict/gate/suite_summary.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/recorded/contract.h"
#include "perfgate/verdict/recorded/session_rows.h"
#include "perfgate/verdict/recorded/stored_frame.h"

namespace perfgate::inline verdict {
namespace {

// Mismatches that no override allows, joined per column.
std::string blocking(const std::vector<Mismatch>& mismatches, const RowColumn& column) {
  std::string text;
  for (const Mismatch& mismatch : mismatches) {
    const bool concerns =
        (mismatch.case_name.empty() || mismatch.case_name == column.case_name) &&
        (mismatch.metric_name.empty() || mismatch.metric_name == column.metric.name);
    if (!concerns) continue;
    AppendItem(text, mismatch.reason + ": " + mismatch.detail, "; ");
  }
  return text;
}

ColumnVerdict column_frame(const RowColumn& column, const Policy& policy) {
  ColumnVerdict verdict;
  verdict.case_name = column.case_name;
  verdict.metric = column.metric;
  const ColumnPolicy rule = column_policy(policy, column.case_name, column.metric);
  verdict.gated = rule.gate;
  verdict.tolerance = rule.tolerance;
  return verdict;
}

double tau_of(const ColumnVerdict& verdict) {
  return is_relative(verdict.metric.kind) ? std::log1p(verdict.tolerance) : verdict.tolerance;
}

double unsigned_value(double row, const Metric& metric) {
  const double y = metric.direction == Direction::kLower ? row : -row;
  return is_relative(metric.kind) ? std::exp(y) : y;
}

bool all_finite(const stats::Matrix& rows, std::size_t column) {
  const std::vector<double> values = rows.column(column);
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

void judge_stored_column(const stats::StoredColumn& tested, const stats::Stored& test,
                         const StoredEvidence& evidence, ColumnVerdict& verdict) {
  const double tau = tau_of(verdict);
  const Metric& metric = verdict.metric;
  verdict.rounds = static_cast<int>(evidence.candidate.size());
  verdict.effect.estimate = PrintedDistance(tested.delta, metric);
  verdict.p_adjusted = tested.p_adjusted;
  if (test.strength != stats::StoredStrength::kSuspected) {
    verdict.verdict = Verdict::kInconclusive;
    verdict.claim = Claim::kInsufficient;
    verdict.reason = "few_sessions: " + std::to_string(test.baseline_sessions) + " recorded and " +
                     std::to_string(test.candidate_sessions) +
                     " measured; 7 and 3 are the fewest that can show anything";
    return;
  }
  const double lo =
      tested.interval ? tested.interval->lo : -std::numeric_limits<double>::infinity();
  const double hi = tested.interval ? tested.interval->hi : std::numeric_limits<double>::infinity();
  if (tested.interval) {
    verdict.effect.lo = PrintedDistance(lo, metric);
    verdict.effect.hi = PrintedDistance(hi, metric);
  }
  if (tested.verdict == stats::StoredStrength::kSuspected) {
    verdict.verdict = evidence.qualified ? Verdict::kRegression : Verdict::kSuspected;
    verdict.reason = evidence.qualified ? "" : "stored: confirm by measuring both executables";
  } else if (hi < -tau) {
    verdict.verdict = Verdict::kImprovement;
  } else if (hi < tau || (tau == 0 && hi <= 0)) {
    verdict.verdict = Verdict::kNoRegression;
  }
  verdict.claim = lo > 0 || hi < 0 ? Claim::kDirectional : Claim::kNoiseDominated;
}

std::vector<Mismatch> all_mismatches(const StoredEvidence& evidence,
                                     std::vector<Mismatch>& overridden) {
  std::vector<Mismatch> found;
  std::vector<Mismatch> all = evidence.further_mismatches;
  for (const RecordedSession& candidate : evidence.candidate) {
    for (Mismatch& mismatch : contract_mismatches(evidence.baseline.back(), candidate)) {
      all.push_back(std::move(mismatch));
    }
  }
  for (Mismatch& mismatch : all) {
    const bool allowed = std::find(evidence.allowed.begin(), evidence.allowed.end(),
                                   mismatch.reason) != evidence.allowed.end();
    auto& list = allowed ? overridden : found;
    const bool known = std::any_of(list.begin(), list.end(), [&](const Mismatch& m) {
      return m.detail == mismatch.detail && m.case_name == mismatch.case_name;
    });
    if (!known) list.push_back(std::move(mismatch));
  }
  return found;
}

// The gated columns that can be tested are one family; the others are tested apart, for show.
void test_columns(const StoredEvidence& evidence, const stats::Matrix& baseline,
                  const stats::Matrix& candidate, std::vector<ColumnVerdict>& verdicts,
                  const std::vector<std::size_t>& columns) {
  if (columns.empty()) return;
  stats::Matrix b(baseline.rows, columns.size());
  stats::Matrix c(candidate.rows, columns.size());
  std::vector<double> taus;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t r = 0; r < b.rows; ++r) b(r, i) = baseline(r, columns[i]);
    for (std::size_t r = 0; r < c.rows; ++r) c(r, i) = candidate(r, columns[i]);
    taus.push_back(tau_of(verdicts[columns[i]]));
  }
  const stats::Stored test = stats::compare_stored(b, c, taus, evidence.policy.alpha);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    judge_stored_column(test.columns[i], test, evidence, verdicts[columns[i]]);
  }
}

bool is_aggregate(const StoredEvidence& evidence, const RowColumn& column) {
  return std::find(evidence.aggregates.begin(), evidence.aggregates.end(),
                   column.case_name + " " + column.metric.name) != evidence.aggregates.end();
}

bool is_unknown(const StoredEvidence& evidence, const std::string& metric) {
  return std::find(evidence.unknown_metrics.begin(), evidence.unknown_metrics.end(), metric) !=
         evidence.unknown_metrics.end();
}

// A record that does not say what ran, or where, may be of another workload or machine: it can
// raise suspicion and cannot clear it.
void cap_unstated(const StoredEvidence& evidence, std::vector<ColumnVerdict>& verdicts) {
  if (evidence.unstated.empty()) return;
  std::string reason = "incomplete_record: ";
  for (std::size_t i = 0; i < evidence.unstated.size(); ++i) {
    reason += (i > 0 ? ", " : "") + evidence.unstated[i];
  }
  for (ColumnVerdict& verdict : verdicts) {
    if (verdict.claim == Claim::kInvalid) continue;
    const bool passed =
        verdict.verdict == Verdict::kNoRegression || verdict.verdict == Verdict::kImprovement;
    if (passed) verdict.verdict = Verdict::kInconclusive;
    if (verdict.verdict == Verdict::kRegression) verdict.verdict = Verdict::kSuspected;
    verdict.claim = Claim::kInsufficient;
    AppendItem(verdict.reason, reason, "; ");
  }
}

// What failed has no verdict on its speed. A case that has no column gets one.
void add_faults(const StoredEvidence& evidence, const std::vector<ArmInfo>& arms,
                std::vector<ColumnVerdict>& verdicts) {
  std::map<std::pair<std::string, std::string>, std::vector<Fault>> by_column;
  for (const CaseFault& fault : evidence.faults) {
    by_column[{fault.case_name, fault.fault.metric}].push_back(fault.fault);
  }
  for (const auto& [key, faults] : by_column) {
    const auto& [case_name, metric] = key;
    const auto judged = judge_faults(faults, arms);
    if (!judged) continue;
    bool found = false;
    const auto apply = [&](ColumnVerdict& verdict) {
      verdict.verdict = judged->verdict;
      verdict.reason = judged->reason;
      verdict.claim = Claim::kInvalid;
      found = true;
    };
    for (ColumnVerdict& verdict : verdicts) {
      const bool concerns = metric.empty() || verdict.metric.name == metric;
      if (verdict.case_name == case_name && concerns) apply(verdict);
    }
    if (found) continue;
    ColumnVerdict verdict =
        column_frame({case_name, evidence.baseline.back().metrics.front()}, evidence.policy);
    apply(verdict);
    verdicts.push_back(verdict);
  }
}

void add_missing_and_new(const StoredEvidence& evidence, const std::vector<RowColumn>& columns,
                         std::vector<ColumnVerdict>& verdicts) {
  std::vector<RowColumn> all;
  for (const RecordedSession& session : evidence.candidate) {
    for (RowColumn& column : row_columns(session)) all.push_back(std::move(column));
  }
  const auto has = [](const std::vector<RowColumn>& list, const RowColumn& column) {
    return std::any_of(list.begin(), list.end(), [&](const RowColumn& c) {
      return c.case_name == column.case_name && c.metric.name == column.metric.name;
    });
  };
  std::vector<RowColumn> seen;
  for (const RowColumn& column : all) {
    if (has(columns, column) || has(seen, column)) continue;
    seen.push_back(column);
    ColumnVerdict verdict = column_frame(column, evidence.policy);
    verdict.verdict = Verdict::kNew;
    verdict.reason = "the " + evidence.baseline_label + " has no such case";
    verdicts.push_back(verdict);
  }
  for (const std::string& name : evidence.policy.expected) {
    const RowColumn column{name, evidence.baseline.back().metrics.front()};
    if (has(columns, column) || has(all, column)) continue;
    ColumnVerdict verdict = column_frame(column, evidence.policy);
    verdict.verdict = Verdict::kMissing;
    verdict.reason = "absent: the policy expects this case";
    verdict.claim = Claim::kInvalid;
    verdicts.push_back(verdict);
  }
}

}  // namespace

SuiteVerdict decide_stored(const StoredEvidence& evidence) {
  if (evidence.baseline.empty() || evidence.candidate.empty()) {
    throw Error(Exit::kData, "a stored gate needs recorded sessions on both sides");
  }
  SuiteVerdict suite = StoredFrame(evidence);
  std::vector<Mismatch> overridden;
  const std::vector<Mismatch> mismatches = all_mismatches(evidence, overridden);
  const std::vector<RowColumn> columns = row_columns(evidence.baseline.back());
  stats::Matrix baseline = session_rows(evidence.baseline, columns);
  stats::Matrix candidate = session_rows(evidence.candidate, columns);

  std::vector<std::size_t> family;
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    ColumnVerdict verdict = column_frame(columns[c], evidence.policy);
    const bool in_baseline = all_finite(baseline, c);
    const bool in_candidate = all_finite(candidate, c);
    if (in_baseline) {
      verdict.baseline = unsigned_value(stats::median(baseline.column(c)), verdict.metric);
    }
    if (in_candidate) {
      verdict.candidate = unsigned_value(stats::median(candidate.column(c)), verdict.metric);
    }
    const std::string reason = blocking(mismatches, columns[c]);
    const std::string few = FewSamples(evidence.baseline, evidence.candidate, columns[c].case_name,
                                       columns[c].metric.name);
    if (!few.empty()) verdict.gated = false;
    if (is_unknown(evidence, columns[c].metric.name)) {
      verdict.verdict = Verdict::kNotComparable;
      verdict.gated = false;
      verdict.claim = Claim::kInvalid;
      verdict.reason = "unknown_metric: nobody says its unit and better direction";
    } else if (!in_candidate) {
      verdict.verdict = Verdict::kMissing;
      const bool has_case = reason.find("metric_mismatch") != std::string::npos;
      verdict.reason = has_case
                           ? reason
                           : "absent: the " + evidence.candidate_label + " no longer has this case";
      verdict.claim = Claim::kInvalid;
    } else if (!reason.empty()) {
      verdict.verdict = Verdict::kNotComparable;
      verdict.reason = reason;
      verdict.claim = Claim::kInvalid;
    } else if (is_aggregate(evidence, columns[c])) {
      verdict.reason = "aggregate_only: a mean without its samples licenses no verdict";
    } else if (!in_baseline) {
      verdict.reason = "few_sessions: not every recorded session has this case";
    } else {
      verdict.reason = few;
      (verdict.gated ? family : shown).push_back(c);
    }
    suite.columns.push_back(std::move(verdict));
  }
  const int reference = choose_reference(evidence.baseline, columns);
  subtract_reference(evidence.baseline, columns, reference, baseline);
  subtract_reference(evidence.candidate, columns, reference, candidate);
  test_columns(evidence, baseline, candidate, suite.columns, family);
  test_columns(evidence, baseline, candidate, suite.columns, shown);
  add_missing_and_new(evidence, columns, suite.columns);
  cap_unstated(evidence, suite.columns);
  add_faults(evidence, suite.arms, suite.columns);
  sort_worst_first(suite.columns);
  // Nothing inconclusive passes on numbers alone.
  suite.exit = suite_exit(suite.columns, -std::numeric_limits<double>::infinity());
  suite.summary = count_verdicts(suite.columns);
  ExplainStored(evidence, overridden, reference, suite);
  for (std::string& warning : build_warnings(suite.arms[0], suite.arms[1])) {
    suite.warnings.push_back(std::move(warning));
  }
  return suite;
}

}  // namespace perfgate::inline verdict
