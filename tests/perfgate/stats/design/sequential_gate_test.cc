// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/sequential_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "perfgate/stats/inference/max_t.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample;

using Columns = std::vector<std::vector<double>>;

std::vector<double> around(double centre, std::size_t n, unsigned seed, double scale = 0.02) {
  std::vector<double> d = sample(n, seed, scale);
  for (double& value : d) {
    value += centre;
  }
  return d;
}

Matrix as_matrix(const Columns& columns) {
  Matrix d(columns[0].size(), columns.size());
  for (std::size_t r = 0; r < d.rows; ++r) {
    for (std::size_t c = 0; c < d.cols; ++c) {
      d(r, c) = columns[c][r];
    }
  }
  return d;
}

const double kTau = std::log(1.02);

TEST(ApplyLook, PassIsAppliedFirstAndShrinksTheFamily) {
  const Columns d = {around(0.05, 10, 1), around(-0.05, 10, 2), around(0.018, 10, 3)};
  const std::vector<ColumnRule> rules(3, {kTau, false});
  std::vector<ColumnState> states(3);
  apply_look({10, 0.003}, rules, d, states);
  EXPECT_EQ(states[0].outcome, Outcome::kFail);
  EXPECT_EQ(states[1].outcome, Outcome::kPass);
  EXPECT_EQ(states[2].outcome, Outcome::kUndecided);
  EXPECT_TRUE(std::isnan(states[1].p_adjusted));

  // p of the rest equals max-T without the column that passed.
  Matrix x(10, 2);
  for (std::size_t r = 0; r < 10; ++r) {
    x(r, 0) = d[0][r] - kTau;
    x(r, 1) = d[2][r] - kTau;
  }
  const MaxT rest = max_t(x);
  EXPECT_EQ(states[0].p_adjusted, rest.p_adjusted[0]);
  EXPECT_EQ(states[2].p_adjusted, rest.p_adjusted[1]);
}

TEST(ApplyLook, UsesOnlyTheRoundsOfTheLook) {
  Columns d = {around(0.05, 24, 1), around(0.018, 24, 3)};
  const std::vector<ColumnRule> rules(2, {kTau, false});
  std::vector<ColumnState> states(2);
  apply_look({10, 0.003}, rules, d, states);
  for (std::vector<double>& column : d) {
    column.resize(10);
  }
  std::vector<ColumnState> shorter(2);
  apply_look({10, 0.003}, rules, d, shorter);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(states[c].outcome, shorter[c].outcome);
    EXPECT_EQ(states[c].p_adjusted, shorter[c].p_adjusted);
    EXPECT_EQ(states[c].interval.hi, shorter[c].interval.hi);
    EXPECT_EQ(states[c].rounds, 10);
  }
}

TEST(ApplyLook, NoAlphaMeansNoFail) {
  const Columns d = {around(0.5, 6, 1)};
  const std::vector<ColumnRule> rules(1, {kTau, false});
  std::vector<ColumnState> states(1);
  apply_look({6, 0.0}, rules, d, states);
  EXPECT_EQ(states[0].outcome, Outcome::kUndecided);
  EXPECT_TRUE(std::isnan(states[0].p_adjusted));
  EXPECT_TRUE(states[0].interval.valid);
}

TEST(ApplyLook, DecidedColumnsStayAndAreNotRead) {
  Columns d = {{}, {testing::kNaN}, around(0.05, 10, 1)};
  const std::vector<ColumnRule> rules(3, {kTau, false});
  std::vector<ColumnState> states(3);
  states[0].outcome = Outcome::kPass;
  states[0].rounds = 6;
  states[1].outcome = Outcome::kFail;
  states[1].p_adjusted = 0.001;
  apply_look({10, 0.003}, rules, d, states);
  EXPECT_EQ(states[0].outcome, Outcome::kPass);
  EXPECT_EQ(states[0].rounds, 6);
  EXPECT_EQ(states[1].outcome, Outcome::kFail);
  EXPECT_EQ(states[1].p_adjusted, 0.001);
  EXPECT_EQ(states[2].p_adjusted, 1.0 / 1024);
}

TEST(ApplyLook, ColumnsWithMissingRoundsStayOutside) {
  const Columns d = {around(0.05, 10, 1), around(0.018, 9, 3)};
  const std::vector<ColumnRule> rules(2, {kTau, false});
  std::vector<ColumnState> states(2);
  apply_look({10, 0.003}, rules, d, states);
  EXPECT_EQ(states[0].p_adjusted, 1.0 / 1024);
  EXPECT_EQ(states[1].outcome, Outcome::kUndecided);
  EXPECT_EQ(states[1].rounds, 0);
  EXPECT_TRUE(std::isnan(states[1].p_adjusted));
}

TEST(ApplyLook, ANewLookReplacesTheOldP) {
  Columns d = {around(0.018, 10, 3)};
  const std::vector<ColumnRule> rules(1, {kTau, false});
  std::vector<ColumnState> states(1);
  apply_look({10, 0.003}, rules, d, states);
  ASSERT_EQ(states[0].outcome, Outcome::kUndecided);
  ASSERT_FALSE(std::isnan(states[0].p_adjusted));
  d[0].resize(16, 0.0);
  apply_look({16, 0.002}, rules, d, states);
  ASSERT_EQ(states[0].outcome, Outcome::kPass);
  EXPECT_TRUE(std::isnan(states[0].p_adjusted));
  EXPECT_EQ(states[0].rounds, 16);
}

TEST(ApplyLook, ARefusedLookChangesNothing) {
  const Columns d = {around(0.0, 10, 1), {0, 0, 0, 0, 0, 0, 0, 0, 0, testing::kInfinity}};
  const std::vector<ColumnRule> rules(2, {kTau, false});
  std::vector<ColumnState> states(2);
  EXPECT_THROW(apply_look({10, 0.003}, rules, d, states), std::invalid_argument);
  EXPECT_EQ(states[0].outcome, Outcome::kUndecided);
  EXPECT_EQ(states[0].rounds, 0);
  EXPECT_FALSE(states[0].interval.valid);
}

TEST(ApplyLook, ClosedPassAcceptsEqualCounts) {
  const Columns d = {std::vector<double>(6, 0.0), std::vector<double>(6, 0.0)};
  const std::vector<ColumnRule> rules = {{0.0, true}, {0.0, false}};
  std::vector<ColumnState> states(2);
  apply_look({6, 0.0}, rules, d, states);
  EXPECT_EQ(states[0].outcome, Outcome::kPass);
  EXPECT_EQ(states[1].outcome, Outcome::kUndecided);
}

TEST(ApplyLook, FailIsClosedAtAlpha) {
  const Columns d = {around(0.05, 10, 1)};
  const std::vector<ColumnRule> rules(1, {kTau, false});
  std::vector<ColumnState> at(1);
  apply_look({10, 1.0 / 1024}, rules, d, at);
  EXPECT_EQ(at[0].outcome, Outcome::kFail);
  std::vector<ColumnState> below(1);
  apply_look({10, 0.99 / 1024}, rules, d, below);
  EXPECT_EQ(below[0].outcome, Outcome::kUndecided);
}

// The share of sign patterns (all equally likely when every column sits at its tolerance) under
// which a whole one-look gate fails is at most alpha.
TEST(ApplyLook, FailsAtMostAlphaOfTheOrbit) {
  constexpr std::size_t n = 9;
  const Columns noise = {sample(n, 1), sample(n, 2), sample(n, 3)};
  const std::vector<ColumnRule> rules(3, {0.0, false});
  for (const double alpha : {0.01, 0.05}) {
    int failed = 0;
    for (unsigned mask = 0; mask < (1U << n); ++mask) {
      Columns d = noise;
      for (std::vector<double>& column : d) {
        for (std::size_t r = 0; r < n; ++r) {
          column[r] = ((mask >> r) & 1U) != 0 ? -column[r] : column[r];
        }
      }
      std::vector<ColumnState> states(3);
      apply_look({static_cast<int>(n), alpha}, rules, d, states);
      failed += static_cast<int>(suite_outcome(states) == Outcome::kFail);
    }
    EXPECT_LE(failed / 512.0, alpha);
    EXPECT_GT(failed, 0);
  }
}

TEST(RunGate, EqualsItsLooksOneByOne) {
  const Columns d = {around(0.03, 40, 1, 0.06), around(0.02, 40, 2), around(0.0, 40, 3, 0.2)};
  const std::vector<double> taus(3, kTau);
  const std::vector<Look> looks = default_looks();
  const GateRun run = run_gate(as_matrix(d), taus, looks);
  std::vector<ColumnState> states(3);
  const std::vector<ColumnRule> rules(3, {kTau, false});
  for (const Look& look : looks) {
    apply_look(look, rules, d, states);
  }
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(run.columns[c].outcome, states[c].outcome);
    EXPECT_EQ(run.columns[c].rounds, states[c].rounds);
  }
}

TEST(RunGate, ABudgetThatEndsBetweenLooksReportsAllItsRounds) {
  const std::vector<double> taus(1, kTau);
  const std::vector<Look> looks = default_looks();
  const std::vector<double> d = around(0.0198, 13, 5);
  const GateRun run = run_gate(as_matrix({d}), taus, looks);
  EXPECT_EQ(run.suite, Outcome::kUndecided);
  EXPECT_EQ(run.rounds, 13);
  EXPECT_FALSE(std::isnan(run.columns[0].p_adjusted));
  EXPECT_EQ(run.columns[0].interval.hi, signed_rank_interval(d, 0.01).hi);
  // A column that would pass now, but was not so at the look, stays undecided.
  std::vector<double> calm = around(-0.01, 14, 6, 0.001);
  calm[0] = 0.1;
  ASSERT_LT(signed_rank_interval(calm, 0.01).hi, kTau);
  const std::vector<Look> early = {{6, 0.0}, {16, 0.01}};
  EXPECT_EQ(run_gate(as_matrix({calm}), taus, early).suite, Outcome::kUndecided);
}

TEST(RunGate, RoundsBeyondTheLastLookAreNotUsed) {
  const std::vector<double> d = around(kTau, 50, 5);
  const GateRun run = run_gate(as_matrix({d}), std::vector<double>{kTau}, default_looks());
  ASSERT_EQ(run.suite, Outcome::kUndecided);
  EXPECT_EQ(run.rounds, 40);
  EXPECT_EQ(run.columns[0].estimate, hodges_lehmann(std::span(d).first(40)));
}

TEST(RunGate, FewerThanSixRoundsHaveAnEstimateAndNoInterval) {
  const GateRun run =
      run_gate(as_matrix({around(0.5, 5, 1)}), std::vector<double>{kTau}, default_looks());
  EXPECT_EQ(run.suite, Outcome::kUndecided);
  EXPECT_EQ(run.rounds, 5);
  EXPECT_FALSE(run.columns[0].interval.valid);
  EXPECT_NEAR(run.columns[0].estimate, 0.5, 0.02);
}

TEST(SuiteOutcome, OneFailureOutweighsAll) {
  std::vector<ColumnState> states(3);
  for (ColumnState& state : states) {
    state.outcome = Outcome::kPass;
  }
  EXPECT_EQ(suite_outcome(states), Outcome::kPass);
  states[1].outcome = Outcome::kUndecided;
  EXPECT_EQ(suite_outcome(states), Outcome::kUndecided);
  states[2].outcome = Outcome::kFail;
  EXPECT_EQ(suite_outcome(states), Outcome::kFail);
  // Nothing measured is no reason to pass.
  EXPECT_EQ(suite_outcome({}), Outcome::kUndecided);
}

TEST(SequentialGate, RefusesWhatItCannotCompute) {
  const std::vector<ColumnRule> rules(1, {kTau, false});
  std::vector<ColumnState> states(1);
  Columns d = {around(0.0, 10, 1)};
  EXPECT_THROW(apply_look({5, 0.003}, rules, d, states), std::invalid_argument);
  std::vector<ColumnState> two(2);
  EXPECT_THROW(apply_look({10, 0.003}, rules, d, two), std::invalid_argument);
  const std::vector<ColumnRule> no_tau(1, {testing::kNaN, false});
  EXPECT_THROW(apply_look({10, 0.003}, no_tau, d, states), std::invalid_argument);
  d[0][3] = testing::kNaN;
  EXPECT_THROW(apply_look({10, 0.003}, rules, d, states), std::invalid_argument);
  EXPECT_THROW(run_gate(as_matrix(d), std::vector<double>{kTau}, default_looks()),
               std::invalid_argument);
  EXPECT_THROW(run_gate(Matrix(10, 2), std::vector<double>{kTau}, default_looks()),
               std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
