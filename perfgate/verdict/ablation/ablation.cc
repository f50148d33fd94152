// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/ablation/ablation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/clock_check.h"
#include "perfgate/verdict/effect.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/result_check.h"

namespace perfgate::inline verdict {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(std::span<const double> values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

// Whether a column is faster than the tolerance, or why the clocks say that it is not.
struct Gain {
  bool shown = false;
  std::string objection;
};

// Of a column in the family by the test of the suite, asked with the arms exchanged, as long as the
// rounds since have not taken it back; of one that only watches, which has no test, by its
// interval.
std::vector<Gain> gains_of(const Session& session, const std::vector<Column>& columns) {
  const std::vector<stats::ColumnState> states = run_looks(session, columns, Side::kFaster);
  std::vector<Gain> gains(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    const stats::Interval interval = IntervalOf(column.d);
    const double tau = column_rule(column, session.metrics[column.metric_index]).tau;
    const bool faster = column.gated ? states[c].outcome == stats::Outcome::kFail && interval.hi < 0
                                     : interval.hi < -tau;
    if (!faster) continue;
    const double estimate = std::expm1(stats::hodges_lehmann(column.d));
    const int rounds = static_cast<int>(column.d.size());
    gains[c].objection = clock_objection(session, column, rounds, false, estimate).value_or("");
    gains[c].shown = gains[c].objection.empty();
  }
  return gains;
}

Answer answer_of(const stats::Interval& interval, double tau, bool worse, bool better) {
  if (worse) return Answer::kWorse;
  if (!interval.valid) return Answer::kOpen;
  // Counts that never differ have the interval [0, 0], at tolerance 0.
  if (interval.lo >= -tau && interval.hi <= tau) return Answer::kEqual;
  return better ? Answer::kBetter : Answer::kOpen;
}

Claim claim_of_answer(const stats::Interval& interval, double tau, Answer answer) {
  if (!interval.valid) return Claim::kInsufficient;
  if (answer == Answer::kEqual) return Claim::kParity;
  if ((answer == Answer::kBetter && interval.hi < -tau) ||
      (answer == Answer::kWorse && interval.lo > tau)) {
    return Claim::kStrong;
  }
  return interval.lo > 0 || interval.hi < 0 ? Claim::kDirectional : Claim::kNoiseDominated;
}

void fill_in(const Column& column, const Gain& gain, AblationColumn& row) {
  const Metric& metric = row.verdict.metric;
  const double tau = column_rule(column, metric).tau;
  const stats::Interval interval = IntervalOf(column.d);
  const bool worse = row.verdict.verdict == Verdict::kRegression;
  row.answer = answer_of(interval, tau, worse, gain.shown);
  row.verdict.rounds = static_cast<int>(column.d.size());
  row.verdict.claim = claim_of_answer(interval, tau, row.answer);
  row.verdict.effect.estimate = PrintedDistance(stats::hodges_lehmann(column.d), metric);
  if (row.answer == Answer::kBetter || row.answer == Answer::kEqual) row.verdict.reason.clear();
  if (row.answer == Answer::kOpen && !gain.objection.empty()) {
    row.verdict.reason = gain.objection;
  } else if (row.answer == Answer::kOpen && interval.valid && interval.hi < -tau) {
    row.verdict.reason = "faster by its interval, which the test of all options does not confirm";
  }
  if (interval.valid) {
    row.verdict.effect.lo = PrintedDistance(interval.lo, metric);
    row.verdict.effect.hi = PrintedDistance(interval.hi, metric);
  }
  row.before_mean = mean(column.baseline);
  row.after_mean = mean(column.candidate);
  if (column.d.size() > 1) {
    row.before_sd = deviation(column.baseline);
    row.after_sd = deviation(column.candidate);
  }
  for (const double d : column.d) {
    ++(d < -tau ? row.wins : d > tau ? row.losses : row.ties);
  }
}

// A time that one arm alone reports, of a case whose own time is judged.
bool is_one_sided_time(const ColumnVerdict& verdict, const std::vector<ColumnVerdict>& columns) {
  return is_one_sided(verdict) && verdict.metric.kind == Kind::kTime &&
         std::any_of(columns.begin(), columns.end(), [&](const ColumnVerdict& own) {
           return own.case_name == verdict.case_name && own.metric.name == "real_time" && own.gated;
         });
}

// Per round the median of what an arm reports of a metric.
std::vector<double> values_of(const Session& session, const std::string& case_name,
                              const std::string& metric, std::size_t arm) {
  std::vector<double> medians;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (session.cases[measured.case_index].name != case_name) continue;
      for (std::size_t m = 0; m < session.metrics.size(); ++m) {
        if (session.metrics[m].name != metric) continue;
        const double median = stats::MedianOfFinite(measured.values[m][arm]);
        if (!std::isnan(median)) medians.push_back(median);
      }
    }
  }
  return medians;
}

void fill_in_one_side(const Session& session, AblationColumn& row) {
  row.only_arm = row.verdict.verdict == Verdict::kMissing ? 0 : 1;
  const std::vector<double> values =
      values_of(session, row.verdict.case_name, row.verdict.metric.name,
                static_cast<std::size_t>(*row.only_arm));
  (*row.only_arm == 0 ? row.before_mean : row.after_mean) = mean(values);
  if (values.size() > 1) {
    (*row.only_arm == 0 ? row.before_sd : row.after_sd) = deviation(values);
  }
}

Promotion promotion_of(const std::vector<AblationColumn>& columns) {
  int worse = 0, better = 0, open = 0, judged = 0;
  for (const AblationColumn& column : columns) {
    if (!column.verdict.gated) continue;
    if (column.answer == Answer::kNone) return Promotion::kNotJudged;
    ++judged;
    worse += column.answer == Answer::kWorse ? 1 : 0;
    better += column.answer == Answer::kBetter ? 1 : 0;
    open += column.answer == Answer::kOpen ? 1 : 0;
  }
  if (judged == 0) return Promotion::kNotJudged;
  if (worse > 0) return better > 0 ? Promotion::kRejected : Promotion::kRegresses;
  if (open > 0) return Promotion::kUnresolved;
  return better > 0 ? Promotion::kPromote : Promotion::kNotMaterial;
}

// What to say where measuring ended between two looks: the rounds since the last one decide
// nothing.
std::string rounds_for_nothing(const Session& session) {
  const auto rounds = static_cast<int>(session.rounds.size());
  const std::vector<stats::Look> looks = recorded_looks(session.schedule);
  const auto next = std::find_if(looks.begin(), looks.end(), [&](const stats::Look& look) {
    return look.rounds >= rounds && look.alpha > 0;
  });
  const bool at_look = std::any_of(looks.begin(), looks.end(),
                                   [&](const stats::Look& look) { return look.rounds == rounds; });
  if (rounds == 0 || at_look || next == looks.end()) return "";
  return "it ended after " + std::to_string(rounds) +
         " rounds, and the next at which an option can be called worse or better is round " +
         std::to_string(next->rounds);
}

// Whether rounds can answer: the numbers of both arms are sound.
bool is_answerable(Verdict verdict) {
  return verdict == Verdict::kRegression || verdict == Verdict::kInconclusive ||
         verdict == Verdict::kNoRegression || verdict == Verdict::kImprovement;
}

}  // namespace

bool is_unanswered(const AblationRow& row) {
  return std::any_of(row.columns.begin(), row.columns.end(), [](const AblationColumn& column) {
    return column.verdict.gated && column.answer == Answer::kNone &&
           column.verdict.verdict != Verdict::kSkipped;
  });
}

Ablation decide_ablation(const Session& session, std::span<const Toggle> toggles) {
  Session judged = session;
  for (Fault& fault : broken_promises(session)) judged.faults.push_back(std::move(fault));
  Ablation ablation{judge_columns(judged), {}};
  ablation.suite.aa = false;  // one executable, but not one setting
  for (ColumnVerdict& column : ablation.suite.columns) {
    if (is_one_sided_time(column, ablation.suite.columns)) column.gated = false;
  }
  conclude(session, ablation.suite);
  if (const std::string warning = rounds_for_nothing(session); !warning.empty()) {
    ablation.suite.warnings.push_back(warning);
  }
  const std::vector<Column> columns =
      make_columns(session, static_cast<int>(session.rounds.size()));
  const std::vector<Gain> gains = gains_of(judged, columns);
  for (const Toggle& toggle : toggles) {
    auto row = std::find_if(ablation.rows.begin(), ablation.rows.end(),
                            [&](const AblationRow& r) { return r.option == toggle.option; });
    if (row == ablation.rows.end()) {
      row = ablation.rows.insert(row, {toggle.option, Promotion::kUnresolved, {}});
    }
    for (const ColumnVerdict& verdict : ablation.suite.columns) {
      if (verdict.case_name != toggle.name) continue;
      AblationColumn column;
      column.where = toggle.where;
      column.verdict = verdict;
      const auto measured = std::find_if(columns.begin(), columns.end(), [&](const Column& c) {
        return session.cases[c.case_index].name == toggle.name &&
               session.metrics[c.metric_index].name == verdict.metric.name;
      });
      if (is_one_sided_time(verdict, ablation.suite.columns)) fill_in_one_side(session, column);
      if (is_answerable(verdict.verdict)) column.answer = Answer::kOpen;
      if (is_answerable(verdict.verdict) && measured != columns.end() && !measured->d.empty()) {
        fill_in(*measured, gains[static_cast<std::size_t>(measured - columns.begin())], column);
      }
      row->columns.push_back(std::move(column));
    }
  }
  // Names that the filter left out.
  std::erase_if(ablation.rows, [](const AblationRow& row) { return row.columns.empty(); });
  for (AblationRow& row : ablation.rows) {
    const auto slowdown = [](const AblationColumn& column) {
      if (column.only_arm) return std::numeric_limits<double>::lowest();
      const double estimate = column.verdict.effect.estimate;
      return std::isnan(estimate) ? std::numeric_limits<double>::max() : estimate;
    };
    std::stable_sort(row.columns.begin(), row.columns.end(),
                     [&](const AblationColumn& a, const AblationColumn& b) {
                       return slowdown(a) > slowdown(b);
                     });
    row.promotion = promotion_of(row.columns);
  }
  return ablation;
}

std::vector<bool> open_ablation_cases(const Session& session) {
  std::vector<bool> open(session.cases.size(), false);
  const std::vector<Column> columns =
      make_columns(session, static_cast<int>(session.rounds.size()));
  const std::vector<stats::ColumnState> states = run_looks(session, columns, Side::kSlower);
  const std::vector<Gain> gains = gains_of(session, columns);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    if (!column.gated) continue;
    const double tau = column_rule(column, session.metrics[column.metric_index]).tau;
    const bool worse = states[c].outcome == stats::Outcome::kFail;
    if (answer_of(IntervalOf(column.d), tau, worse, gains[c].shown) == Answer::kOpen) {
      open[column.case_index] = true;
    }
  }
  return open;
}

}  // namespace perfgate::inline verdict
