// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/sequential_gate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/inference/max_t.h"

namespace perfgate::stats {
namespace {

// The defaults of max_t: the same test at every look of every gate.
constexpr double kClip = 2.0;
constexpr std::uint64_t kSeed = 1;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void summarise(std::span<const double> d, const SignedRankCutoff& cutoff, ColumnState& state) {
  state.rounds = static_cast<int>(d.size());
  const SignedRank summary = signed_rank(d, cutoff);
  state.estimate = summary.estimate;
  state.interval = summary.interval;
}

bool passes(const ColumnRule& rule, const Interval& interval) {
  return interval.hi < rule.tau || (rule.closed_pass && interval.hi == rule.tau);
}

// Undecided columns with enough rounds. Checks their values, so that a refused look changes
// nothing.
std::vector<std::size_t> columns_to_examine(std::size_t rounds, std::span<const ColumnRule> rules,
                                            const std::vector<std::vector<double>>& d,
                                            const std::vector<ColumnState>& states) {
  std::vector<std::size_t> examined;
  for (std::size_t c = 0; c < d.size(); ++c) {
    if (states[c].outcome == Outcome::kUndecided && d[c].size() >= rounds) {
      require_finite(std::span(d[c]).first(rounds), "apply_look: column " + std::to_string(c));
      require_finite(std::span(&rules[c].tau, 1), "apply_look: tolerance");
      examined.push_back(c);
    }
  }
  return examined;
}

// Rounds above tolerance, look.rounds x family.
Matrix excess(std::size_t rounds, std::span<const ColumnRule> rules,
              const std::vector<std::vector<double>>& d, const std::vector<std::size_t>& family) {
  Matrix x(rounds, family.size());
  for (std::size_t i = 0; i < family.size(); ++i) {
    for (std::size_t r = 0; r < rounds; ++r) {
      x(r, i) = d[family[i]][r] - rules[family[i]].tau;
    }
  }
  return x;
}

}  // namespace

void apply_look(const Look& look, std::span<const ColumnRule> rules,
                const std::vector<std::vector<double>>& d, std::vector<ColumnState>& states,
                std::size_t threads) {
  require(rules.size() == d.size() && states.size() == d.size(),
          "apply_look: rules, d and states must have one entry per column");
  require(look.rounds >= kMinimumRounds, "apply_look: nothing is decided before 6 rounds");
  const auto rounds = static_cast<std::size_t>(look.rounds);
  const SignedRankCutoff cutoff =
      signed_rank_cutoff(look.rounds, sequential_level(look.rounds, look.earlier));

  const std::vector<std::size_t> examined = columns_to_examine(rounds, rules, d, states);
  std::vector<std::size_t> family;
  for (const std::size_t c : examined) {
    summarise(std::span(d[c]).first(rounds), cutoff, states[c]);
    states[c].p_adjusted = kNone;
    if (passes(rules[c], states[c].interval)) {
      states[c].outcome = Outcome::kPass;
    } else {
      family.push_back(c);
    }
  }
  if (look.alpha <= 0.0 || family.empty()) {
    return;
  }
  const MaxT test = max_t(excess(rounds, rules, d, family), kClip, kSeed, kDefaultFlips, threads);
  for (std::size_t i = 0; i < family.size(); ++i) {
    ColumnState& state = states[family[i]];
    state.p_adjusted = test.p_adjusted[i];
    if (test.p_adjusted[i] <= look.alpha) {
      state.outcome = Outcome::kFail;
    }
  }
}

Outcome suite_outcome(std::span<const ColumnState> states) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(states.begin(), states.end(),
                       [&](const ColumnState& state) { return state.outcome == outcome; });
  };
  if (any(Outcome::kFail)) {
    return Outcome::kFail;
  }
  return states.empty() || any(Outcome::kUndecided) ? Outcome::kUndecided : Outcome::kPass;
}

GateRun run_gate(const Matrix& d, std::span<const double> taus, std::span<const Look> looks) {
  require(taus.size() == d.cols, "run_gate: needs one tolerance per column");
  require_finite(d.data, "run_gate");
  std::vector<ColumnRule> rules;
  std::vector<std::vector<double>> columns;
  for (std::size_t c = 0; c < d.cols; ++c) {
    rules.push_back({taus[c], false});
    columns.push_back(d.column(c));
  }
  GateRun run;
  run.columns.resize(d.cols);
  int last = 0;
  for (const Look& look : looks) {
    last = std::max(last, look.rounds);
    apply_look(look, rules, columns, run.columns);
  }

  const std::size_t end = std::min(d.rows, static_cast<std::size_t>(last));
  for (std::size_t c = 0; c < d.cols; ++c) {
    ColumnState& state = run.columns[c];
    if (state.outcome == Outcome::kUndecided && end > 0 && std::cmp_less(state.rounds, end)) {
      // Fewer than 6 rounds carry no interval.
      SignedRankCutoff cutoff{static_cast<std::int64_t>(end), -1, 0.0};
      if (std::cmp_greater_equal(end, kMinimumRounds)) {
        cutoff = signed_rank_cutoff(cutoff.n, sequential_level(static_cast<int>(end)));
      }
      summarise(std::span(columns[c]).first(end), cutoff, state);
    }
    run.rounds = std::max(run.rounds, state.rounds);
  }
  run.suite = suite_outcome(run.columns);
  return run;
}

}  // namespace perfgate::stats
