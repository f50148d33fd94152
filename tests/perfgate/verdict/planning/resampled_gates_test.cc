// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/resampled_gates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/perfgate/verdict/synthetic_calibration.h"

namespace perfgate {
namespace {

using synthetic::kNan;
using synthetic::normal_calibration;

GateModel model_of(const Calibration& calibration, double tolerance = 0.02,
                   const std::vector<stats::Look>& looks = stats::default_looks()) {
  Policy policy = calibration.policy;
  policy.tolerance = tolerance;
  return gate_model(calibration, policy, looks);
}

TEST(GateModel, HoldsGatedColumnsAndWhatRoundsCost) {
  Calibration calibration = normal_calibration({0.01, 0.01, 0.01});
  calibration.policy.cases = {{.match = "case1", .metric = {}, .tolerance = {}, .gate = false},
                              {.match = "case2", .metric = {}, .tolerance = 0.5, .gate = {}}};
  const GateModel model = model_of(calibration);
  EXPECT_EQ(model.columns, (std::vector<std::size_t>{0, 2}));
  EXPECT_DOUBLE_EQ(model.rules[0].tau, std::log1p(0.02));
  EXPECT_DOUBLE_EQ(model.rules[1].tau, std::log1p(0.5));
  ASSERT_EQ(model.case_s.size(), 3U);  // a case that is only watched is measured as well
  EXPECT_DOUBLE_EQ(model.case_s[1], 5 * 0.02);
  EXPECT_EQ(model.case_of, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(model_of(calibration, 0.02, {{3, 0.0}}).looks.size(), 0U);
}

TEST(ResampledGates, QuietUnchangedSuitesPassAtTheFirstLook) {
  const Calibration calibration = normal_calibration({0.0005, 0.0005});
  const UnchangedGates gates = resample_unchanged(model_of(calibration), 300);
  EXPECT_EQ(gates.gates, 300);
  EXPECT_EQ(gates.passed, 300);
  EXPECT_EQ(gates.failed, 0);
  EXPECT_EQ(gates.rounds, 6);
  EXPECT_EQ(gates.column_rounds, (std::vector<double>{6, 6}));
  // 6 launches and 6 x 5 pairs of 20 ms in two cases.
  EXPECT_NEAR(gates.wall_s.front(), 6 * 0.1 + 2 * 6 * 0.1, 1e-12);
  EXPECT_NEAR(gates.wall_s.back(), gates.wall_s.front(), 1e-12);
}

TEST(ResampledGates, NoisySuitesStayOpenAndTakeEveryRound) {
  const Calibration calibration = normal_calibration({0.5, 0.0005});
  const UnchangedGates gates = resample_unchanged(model_of(calibration), 300);
  EXPECT_LT(gates.passed, 60);
  EXPECT_LE(gates.failed, 9);  // 1 % of 300 and three standard errors
  EXPECT_EQ(gates.column_passed[1], 300);
  EXPECT_GT(gates.column_rounds[0], 35);
  EXPECT_NEAR(gates.wall_s.back(), 40 * 0.1 + 40 * 0.1 + 6 * 0.1, 1e-9);
}

// Without a tolerance the unchanged suite is the worst case of the error that alpha bounds.
TEST(ResampledGates, FalseAlarmsStayBelowAlpha) {
  const Calibration calibration = normal_calibration({0.01, 0.02, 0.03, 0.01}, 5);
  const UnchangedGates gates = resample_unchanged(model_of(calibration, 0.0), 400);
  EXPECT_GT(gates.failed, 0);
  EXPECT_LT(gates.failed, 4 + 4 * 2);  // 1 %, four standard errors
  std::vector<stats::Look> loose = stats::default_looks();
  for (stats::Look& look : loose) look.alpha *= 20;
  EXPECT_GT(resample_unchanged(model_of(calibration, 0.0, loose), 200).failed, 20);
}

TEST(ResampledGates, ArePrefixesOfEachOther) {
  const GateModel model = model_of(normal_calibration({0.02, 0.03}));
  const UnchangedGates few = resample_unchanged(model, 50, 7);
  EXPECT_EQ(resample_unchanged(model, 50, 7).wall_s, few.wall_s);
  EXPECT_NE(resample_unchanged(model, 50, 8).wall_s, few.wall_s);
  const UnchangedGates many = resample_unchanged(model, 80, 7);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_LE(few.column_passed[c], many.column_passed[c]);
    EXPECT_LE(many.column_passed[c], few.column_passed[c] + 30);
  }
}

TEST(ResampledGates, DrawFromEveryRecordedRound) {
  // Only rounds beyond the first 40 are noisy; a gate of 40 rounds must still meet them.
  Calibration calibration = normal_calibration({0.0005}, 1, 80);
  for (std::size_t r = 40; r < 80; ++r) calibration.columns[0].d[r] *= 1000;
  const UnchangedGates gates = resample_unchanged(model_of(calibration), 100);
  EXPECT_LT(gates.passed, 80);
  EXPECT_GT(gates.column_rounds[0], 20);
}

TEST(ResampledGates, FindWhatIsSlower) {
  const GateModel model = model_of(normal_calibration({0.01, 0.01, 0.3}));
  const double slow = std::log(1.05);
  const auto found = resample_slowed(model, {slow, kNan, slow}, 100);
  EXPECT_GT(found[0].found, 95);
  EXPECT_GE(found[0].rounds, 10);
  EXPECT_LT(found[0].rounds, 14);
  EXPECT_EQ(found[1].found, 0);
  EXPECT_EQ(found[1].rounds, 0);
  EXPECT_LT(found[2].found, 10);
  // At the tolerance it is at most alpha, far above it certain.
  const auto at_tolerance = resample_slowed(model, {std::log(1.02), kNan, kNan}, 100);
  EXPECT_LE(at_tolerance[0].found, 4);
  EXPECT_EQ(resample_slowed(model, {1.0, kNan, kNan}, 100)[0].found, 100);
}

// A single column has no others to be judged with: its gates are ordinary ones on shifted rounds.
TEST(ResampledGates, SlowedAreTheProductsOwnGates) {
  const Calibration calibration = normal_calibration({0.02});
  const GateModel model = model_of(calibration);
  const double shift = std::log(1.04);
  const auto slowed = resample_slowed(model, {shift}, 300, 3);
  // Moving the tolerance down moves the test by the same distance.
  GateModel moved = model;
  moved.rules[0].tau -= shift;
  const UnchangedGates gates = resample_unchanged(moved, 300, 3);
  EXPECT_EQ(slowed[0].found, gates.column_failed[0]);
  EXPECT_NEAR(slowed[0].rounds, gates.column_rounds[0], 1e-9);
}

TEST(PassingTau, IsTheToleranceAtWhichTheGatePasses) {
  const Calibration calibration = normal_calibration({0.05, 0.001}, 9);
  const GateModel model = model_of(calibration);
  for (const double power : {0.5, 0.8, 0.95}) {
    const double tau = passing_tau(model, 0, power, 200, 2);
    GateModel with = model;
    with.rules[0].tau = tau * 1.0001;
    // Fails take a few gates away, 1 % at most.
    EXPECT_GE(resample_unchanged(with, 200, 2).column_passed[0], power * 200 - 2);
    with.rules[0].tau = tau * 0.98;
    EXPECT_LT(resample_unchanged(with, 200, 2).column_passed[0], power * 200);
  }
  EXPECT_GT(passing_tau(model, 0, 0.95, 400), passing_tau(model, 0, 0.5, 400));
  EXPECT_GT(passing_tau(model, 0, 0.8, 400), passing_tau(model, 1, 0.8, 400));
  EXPECT_TRUE(std::isinf(passing_tau(model_of(calibration, 0.02, {}), 0, 0.8, 400)));
}

TEST(ResampledGates, DegenerateModelsHaveAnswers) {
  const Calibration calibration = normal_calibration({0.01});
  EXPECT_EQ(resample_unchanged(model_of(calibration, 0.02, {}), 100).gates, 0);
  EXPECT_EQ(resample_unchanged(GateModel{}, 100).gates, 0);
  EXPECT_TRUE(resample_slowed(GateModel{}, {}, 100).empty());
  Calibration constant = normal_calibration({0.0}, 1, 6);
  const UnchangedGates gates = resample_unchanged(model_of(constant), 100);
  EXPECT_EQ(gates.passed, 100);
  Calibration one = normal_calibration({0.01}, 1, 2);
  one.columns[0].d = {0.1};
  EXPECT_EQ(resample_unchanged(model_of(one), 50).gates, 50);
  GateModel bad = model_of(calibration);
  bad.d[0][3] = kNan;
  EXPECT_THROW(resample_unchanged(bad, 10), std::invalid_argument);
  bad = model_of(normal_calibration({0.01, 0.01}));
  bad.d[1].pop_back();
  EXPECT_THROW(resample_unchanged(bad, 10), std::invalid_argument);
  EXPECT_THROW(resample_slowed(model_of(calibration), {}, 10), std::invalid_argument);
  EXPECT_THROW(passing_tau(model_of(calibration), 1, 0.8, 10), std::invalid_argument);
}

TEST(AffordableGates, FallWithTheColumns) {
  EXPECT_EQ(affordable_gates(0), 1000);
  EXPECT_EQ(affordable_gates(40), 1000);
  EXPECT_EQ(affordable_gates(80), 500);
  EXPECT_EQ(affordable_gates(100'000), 50);
}

}  // namespace
}  // namespace perfgate
