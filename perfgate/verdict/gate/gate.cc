// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/gate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/case_rounds.h"
#include "perfgate/verdict/few_samples.h"
#include "perfgate/verdict/second_clock.h"

namespace perfgate::inline verdict {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// From here on a look takes longer than starting threads does: 20,000 flips x 500 columns are 15
// ms.
constexpr std::size_t kManyColumns = 500;

double median_of_finite(std::span<const double> values) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double v) { return std::isfinite(v); });
  return finite.empty() ? kNan : stats::median(finite);
}

std::vector<bool> faulted_cases(const Session& session) {
  std::vector<bool> faulted(session.cases.size(), false);
  for (const Fault& fault : session.faults) {
    if (fault.metric.empty()) faulted[fault.case_index] = true;
  }
  return faulted;
}

// Rounds before each case's first fault: what the running gate knew of it as a sound case. Faults
// of single metrics leave the others' rounds alone.
std::vector<std::size_t> sound_rounds(const Session& session) {
  std::vector<std::size_t> sound(session.cases.size(), std::numeric_limits<std::size_t>::max());
  for (const Fault& fault : session.faults) {
    if (!fault.metric.empty()) continue;
    std::size_t& rounds = sound[fault.case_index];
    rounds = std::min(rounds, static_cast<std::size_t>(std::max(0, fault.round)));
  }
  return sound;
}

// Whether a column that passed at a look of so many rounds needs more before it can be called
// faster. Its interval may show an improvement before the first look at which the test can name
// one; from there on only the policy asks for more.
bool is_unclaimed(const Session& session, const BothSides& sides, double tau, int rounds) {
  if (sides.slower.outcome != stats::Outcome::kPass ||
      sides.faster.outcome == stats::Outcome::kFail) {
    return false;
  }
  if (session.policy.claim_improvements) return sides.slower.estimate < 0;
  const std::vector<double>& alphas = session.schedule.look_alpha;
  const auto first = std::find_if(alphas.begin(), alphas.end(), [](double a) { return a > 0; });
  return sides.slower.interval.hi < -tau && first != alphas.end() &&
         rounds < session.schedule.looks[static_cast<std::size_t>(first - alphas.begin())];
}

// What the second clock would make of the column's verdict.
ClockFinding FindingOf(const Session& session, const Column& column, const BothSides& sides,
                       const RoundsOfCase& rounds) {
  const bool is_time = is_relative(session.metrics[column.metric_index].kind);
  if (session.policy.second_clock != SecondClock::kJudge || !is_time) return ClockFinding::kNone;
  const bool faster = sides.slower.outcome == stats::Outcome::kPass &&
                      sides.faster.outcome == stats::Outcome::kFail;
  const double claimed = faster ? std::abs(std::expm1(sides.slower.estimate)) : 0;
  const bool passes = column.metric_index == 0 && sides.slower.outcome == stats::Outcome::kPass;
  return JudgeSecondClock(session, WallExcessOf(rounds, 0, 1), claimed,
                          passes ? std::optional(column.tolerance) : std::nullopt)
      .finding;
}

// Columns that are tested together, seen from one side.
struct Family {
  Family(const Session& session, const std::vector<Column>& columns,
         const std::vector<std::size_t>& members, Side side)
      : states(members.size()) {
    const std::vector<std::size_t> sound = sound_rounds(session);
    for (const std::size_t c : members) {
      rules.push_back(column_rule(columns[c], session.metrics[columns[c].metric_index]));
      d.push_back(columns[c].d);
      d.back().resize(std::min(d.back().size(), sound[columns[c].case_index]));
      if (side == Side::kFaster) {
        for (double& value : d.back()) value = -value;
      }
    }
  }

  void Apply(const stats::Look& look) {
    stats::apply_look(look, rules, d, states, rules.size() < kManyColumns ? 1 : 0);
  }

  std::vector<stats::ColumnRule> rules;
  std::vector<std::vector<double>> d;
  std::vector<stats::ColumnState> states;
};

// The gated columns, which are one family, and those that only watch.
struct Members {
  explicit Members(const std::vector<Column>& columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      (columns[c].gated ? gated : watching).push_back(c);
    }
  }
  std::vector<std::size_t> gated;
  std::vector<std::size_t> watching;
};

// The looks that decide something and that the session reached.
std::vector<stats::Look> reached_looks(const Session& session, bool may_fail) {
  std::vector<stats::Look> looks = recorded_looks(session.schedule);
  std::erase_if(looks, [&](const stats::Look& look) {
    // Below 6 rounds a look is measured and shown, not decided.
    return look.rounds > static_cast<int>(session.rounds.size()) ||
           look.rounds < stats::kMinimumRounds;
  });
  if (!may_fail) {
    for (stats::Look& look : looks) look.alpha = 0;
  }
  return looks;
}

}  // namespace

double round_statistic(std::span<const double> baseline, std::span<const double> candidate,
                       const Metric& metric) {
  const double sign = metric.direction == Direction::kLower ? 1.0 : -1.0;
  std::vector<double> pairs;
  for (std::size_t i = 0; i < std::min(baseline.size(), candidate.size()); ++i) {
    const double d = is_relative(metric.kind) ? std::log(candidate[i] / baseline[i])
                                              : candidate[i] - baseline[i];
    if (std::isfinite(d)) pairs.push_back(sign * d);
  }
  return pairs.empty() ? kNan : stats::median(pairs);
}

std::vector<Column> make_columns(const Session& session, int rounds) {
  std::map<std::pair<std::size_t, std::size_t>, Column> columns;
  for (const RoundInfo& round : session.rounds) {
    if (round.index >= rounds) break;
    for (const CaseRound& measured : round.cases) {
      for (std::size_t m = 0; m < session.metrics.size(); ++m) {
        if (is_informational(session.metrics[m].name)) continue;
        const auto& arms = measured.values[m];
        const double d = round_statistic(arms[0], arms[1], session.metrics[m]);
        if (!std::isfinite(d)) continue;
        Column& column = columns[{measured.case_index, m}];
        column.case_index = measured.case_index;
        column.metric_index = m;
        column.d.push_back(d);
        column.baseline.push_back(median_of_finite(arms[0]));
        column.candidate.push_back(median_of_finite(arms[1]));
      }
    }
  }
  std::vector<Column> result;
  result.reserve(columns.size());
  for (auto& [key, column] : columns) {
    const ColumnPolicy policy = column_policy(session.policy, session.cases[column.case_index].name,
                                              session.metrics[column.metric_index]);
    column.gated =
        policy.gate && FewSamples(session, column.case_index, column.metric_index).empty();
    column.tolerance = policy.tolerance;
    result.push_back(std::move(column));
  }
  return result;
}

stats::ColumnRule column_rule(const Column& column, const Metric& metric) {
  if (is_relative(metric.kind)) return {std::log1p(column.tolerance), false};
  return {column.tolerance, true};
}

std::vector<stats::Look> recorded_looks(const Schedule& schedule) {
  std::vector<stats::Look> looks;
  for (std::size_t i = 0; i < schedule.looks.size(); ++i) {
    looks.push_back({schedule.looks[i], schedule.look_alpha[i], schedule.earlier_candidates});
  }
  return looks;
}

std::vector<stats::ColumnState> run_looks(const Session& session,
                                          const std::vector<Column>& columns, Side side) {
  std::vector<stats::ColumnState> states(columns.size());
  const Members members(columns);
  const auto run = [&](const std::vector<std::size_t>& some, bool may_fail) {
    Family family(session, columns, some, side);
    for (const stats::Look& look : reached_looks(session, may_fail)) family.Apply(look);
    for (std::size_t i = 0; i < some.size(); ++i) states[some[i]] = family.states[i];
  };
  run(members.gated, true);
  run(members.watching, false);
  return states;
}

std::vector<BothSides> run_both_sides(const Session& session, const std::vector<Column>& columns) {
  std::vector<BothSides> sides(columns.size());
  const Members members(columns);
  const auto run = [&](const std::vector<std::size_t>& some, bool may_fail) {
    Family slower(session, columns, some, Side::kSlower);
    Family faster(session, columns, some, Side::kFaster);
    for (const stats::Look& look : reached_looks(session, may_fail)) {
      slower.Apply(look);
      faster.Apply(look);
      for (std::size_t i = 0; i < some.size(); ++i) {
        sides[some[i]] = {slower.states[i], faster.states[i]};
        if (slower.states[i].outcome == stats::Outcome::kUndecided ||
            is_unclaimed(session, sides[some[i]], slower.rules[i].tau, look.rounds)) {
          continue;
        }
        // It needs no more rounds; what other columns of its case still get is not evidence here.
        std::vector<double>& d = faster.d[i];
        d.resize(std::min(d.size(), static_cast<std::size_t>(look.rounds)));
      }
    }
  };
  run(members.gated, true);
  run(members.watching, false);
  return sides;
}

std::vector<bool> open_cases(const Session& session) {
  const int rounds = static_cast<int>(session.rounds.size());
  const std::vector<Column> columns = make_columns(session, rounds);
  const std::vector<BothSides> sides = run_both_sides(session, columns);
  const std::vector<bool> faulted = faulted_cases(session);
  const std::vector<RoundsOfCase> rounds_by_case = RoundsByCase(session);
  std::vector<bool> open(session.cases.size(), false);
  std::vector<bool> invalid(session.cases.size(), false);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    if (!column.gated || faulted[column.case_index]) continue;
    const double tau = column_rule(column, session.metrics[column.metric_index]).tau;
    const ClockFinding finding =
        FindingOf(session, column, sides[c], rounds_by_case[column.case_index]);
    if (finding == ClockFinding::kProven) invalid[column.case_index] = true;
    const bool is_withheld =
        finding == ClockFinding::kSuspicious && sides[c].slower.outcome == stats::Outcome::kPass;
    if (is_withheld || sides[c].slower.outcome == stats::Outcome::kUndecided ||
        is_unclaimed(session, sides[c], tau, rounds)) {
      open[column.case_index] = true;
    }
  }
  for (std::size_t c = 0; c < open.size(); ++c) open[c] = open[c] && !invalid[c];
  return open;
}

}  // namespace perfgate::inline verdict
