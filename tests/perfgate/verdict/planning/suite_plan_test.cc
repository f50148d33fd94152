// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/suite_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perfgate/base/error.h"
#include "perfgate/verdict/planning/plan_reason.h"
#include "tests/perfgate/verdict/synthetic_calibration.h"

namespace perfgate {
namespace {

using synthetic::normal_calibration;
using testing::HasSubstr;
using testing::Not;

PlanRequest request_for(const Calibration& calibration) {
  PlanRequest request;
  request.policy = calibration.policy;
  request.tool = "perfgate test";
  request.gates = 100;
  return request;
}

const PlannedColumn& column_of(const SuitePlan& plan, const std::string& name) {
  for (const PlannedColumn& column : plan.columns) {
    if (column.case_name == name) return column;
  }
  throw std::logic_error("no " + name);
}

TEST(PlanSuite, ResolvesWhatIsQuiet) {
  const Calibration calibration = normal_calibration({0.002, 0.004});
  const SuitePlan plan = plan_suite(calibration, request_for(calibration));
  EXPECT_EQ(plan.exit, Exit::kPass);
  EXPECT_TRUE(plan.rules.empty());
  EXPECT_EQ(plan.looks, (std::vector<int>{6, 10, 16, 24, 40}));
  EXPECT_EQ(plan.gates, 100);
  EXPECT_EQ(plan.pass_share, 1);
  EXPECT_EQ(plan.rounds, 6);
  EXPECT_NEAR(plan.wall_s, 6 * 0.1 + 2 * 6 * 0.1, 1e-9);
  for (const PlannedColumn& column : plan.columns) {
    EXPECT_TRUE(column.resolved);
    EXPECT_EQ(column.reason, "");
    EXPECT_EQ(column.rounds_to_pass, 6);
    EXPECT_EQ(column.fail_share, 1.0);
    EXPECT_EQ(column.fail_rounds, 10.0);
    EXPECT_FALSE(column.supported_tolerance.has_value());
  }
  EXPECT_THAT(plan.summary, HasSubstr("2 of 2 cases"));
}

TEST(PlanSuite, SaysWhatItCannotResolveAndWhatWouldHelp) {
  const Calibration calibration = normal_calibration({0.002, 0.08}, 4);
  const SuitePlan plan = plan_suite(calibration, request_for(calibration));
  EXPECT_EQ(plan.exit, Exit::kInconclusive);
  EXPECT_EQ(plan.columns[0].case_name, "case1");  // worst first
  const PlannedColumn& noisy = plan.columns[0];
  EXPECT_FALSE(noisy.resolved);
  EXPECT_LT(noisy.pass_share, 0.5);
  EXPECT_GT(noisy.rounds_to_pass.value(), 40);
  ASSERT_TRUE(noisy.supported_tolerance.has_value());
  EXPECT_THAT(noisy.reason, HasSubstr("against a tolerance of 2 %: needs about"));
  EXPECT_THAT(noisy.reason, HasSubstr("would do"));
  EXPECT_THAT(noisy.reason, HasSubstr("5 % is found in"));
  EXPECT_TRUE(plan.columns[1].resolved);
  ASSERT_EQ(plan.rules.size(), 1U);
  EXPECT_EQ(plan.rules[0].match, "case1");
  EXPECT_GE(*plan.rules[0].tolerance, *noisy.supported_tolerance);
}

// The rules do what they promise: with them every case passes, unchanged, with the power asked for.
TEST(PlanSuite, ItsRulesMakeEveryCasePass) {
  Calibration calibration = normal_calibration({0.002, 0.08, 0.03, 0.2}, 6);
  std::vector<double> states;
  states.reserve(40);
  for (int r = 0; r < 40; ++r) states.push_back(r % 4 == 0 ? 0.2 : 0.002 * (r % 3 - 1));
  synthetic::add_column(calibration, "states", states);
  for (const double power : {0.6, 0.9}) {
    PlanRequest request = request_for(calibration);
    request.power = power;
    const SuitePlan first = plan_suite(calibration, request);
    EXPECT_GE(first.rules.size(), 2U);
    request.policy.cases = first.rules;
    const SuitePlan second = plan_suite(calibration, request);
    EXPECT_TRUE(second.rules.empty());
    for (const PlannedColumn& column : second.columns) {
      EXPECT_GE(column.pass_share, power) << column.case_name;
    }
  }
}

TEST(PlanSuite, MorePowerNeverResolvesMore) {
  const Calibration calibration = normal_calibration({0.01, 0.03, 0.05}, 7);
  std::size_t before = 10;
  for (const double power : {0.5, 0.8, 0.99}) {
    PlanRequest request = request_for(calibration);
    request.power = power;
    const SuitePlan plan = plan_suite(calibration, request);
    const auto resolved = static_cast<std::size_t>(
        std::count_if(plan.columns.begin(), plan.columns.end(),
                      [](const PlannedColumn& column) { return column.resolved; }));
    EXPECT_LE(resolved, before);
    before = resolved;
  }
}

TEST(PlanSuite, FormulaAndGatesAgreeForNormalNoise) {
  for (const double sd : {0.012, 0.02, 0.03}) {
    const Calibration calibration = normal_calibration({sd}, 8, 400);
    const SuitePlan plan = plan_suite(calibration, request_for(calibration));
    const PlannedColumn& column = plan.columns[0];
    // With a chance of 80 % it has passed at the look after the closed form's rounds, so its mean
    // rounds are below that look.
    EXPECT_LT(column.pass_rounds, 1.5 * *column.rounds_to_pass + 4) << sd;
    EXPECT_GT(column.pass_rounds, 0.4 * *column.rounds_to_pass) << sd;
    EXPECT_GE(column.pass_share, 0.8) << sd;
  }
}

TEST(PlanSuite, KeepsToTheBudget) {
  const Calibration calibration = normal_calibration({0.002, 0.004});  // rounds of 0.3 s
  PlanRequest request = request_for(calibration);
  request.budget_s = 2.0;  // 6 rounds
  const SuitePlan six = plan_suite(calibration, request);
  EXPECT_EQ(six.looks, std::vector<int>{6});
  EXPECT_EQ(six.exit, Exit::kInconclusive);
  for (const PlannedColumn& column : six.columns) {
    EXPECT_EQ(column.pass_share, 1);
    EXPECT_EQ(column.fail_share, 0.0);
    EXPECT_EQ(column.reason, "a regression needs at least 10 rounds");
    EXPECT_FALSE(column.detectable.has_value());
  }
  EXPECT_TRUE(six.rules.empty());
  request.budget_s = 0.5;
  const SuitePlan none = plan_suite(calibration, request);
  EXPECT_TRUE(none.looks.empty());
  EXPECT_EQ(none.gates, 0);
  EXPECT_EQ(none.exit, Exit::kInconclusive);
  EXPECT_THAT(none.columns[0].reason, HasSubstr("reaches no look"));
}

TEST(PlanSuite, AsksNoSlowdownOfWhatToleratesIt) {
  Calibration calibration = normal_calibration({0.002, 0.002});
  synthetic::add_column(calibration, "counts", std::vector<double>(40, 0.0),
                        {.name = "allocs", .unit = "1", .kind = Kind::kCount});
  calibration.policy.cases = {{.match = "case1", .metric = {}, .tolerance = 0.05, .gate = {}}};
  const SuitePlan plan = plan_suite(calibration, request_for(calibration));
  EXPECT_TRUE(column_of(plan, "case0").fail_share.has_value());
  EXPECT_FALSE(column_of(plan, "case1").fail_share.has_value());
  EXPECT_FALSE(column_of(plan, "counts").fail_share.has_value());
  EXPECT_EQ(column_of(plan, "counts").rounds_to_pass, 6);
  EXPECT_EQ(plan.exit, Exit::kPass);
}

TEST(PlanSuite, NoToleranceIsNeverResolved) {
  Calibration calibration = normal_calibration({0.002});
  PlanRequest request = request_for(calibration);
  request.policy.tolerance = 0;
  const SuitePlan plan = plan_suite(calibration, request);
  EXPECT_FALSE(plan.columns[0].resolved);
  EXPECT_FALSE(plan.columns[0].rounds_to_pass.has_value());
  EXPECT_THAT(plan.columns[0].reason, HasSubstr("no number of rounds"));
}

TEST(PlanSuite, WatchesWhatOnlyAnAbsurdToleranceWouldPass) {
  const Calibration calibration = normal_calibration({3.0}, 5);
  const SuitePlan plan = plan_suite(calibration, request_for(calibration));
  ASSERT_EQ(plan.rules.size(), 1U);
  EXPECT_EQ(plan.rules[0].gate, false);
  EXPECT_FALSE(plan.rules[0].tolerance.has_value());
}

TEST(PlanSuite, WarnsOfWhatItDoesNotKnow) {
  Calibration calibration = normal_calibration({0.002}, 1, 8);
  calibration.left_out = {{"crashing", "crashed"}};
  PlanRequest request = request_for(calibration);
  request.policy.pairs = 16;
  const SuitePlan plan = plan_suite(calibration, request);
  EXPECT_THAT(plan.warnings, testing::ElementsAre(HasSubstr("8 recorded rounds"),
                                                  HasSubstr("16 pairs"), HasSubstr("crashing")));
  EXPECT_EQ(plan.policy.pairs, 4);
}

TEST(PlanSuite, ConstantTimingsAndSingleRoundsHaveAnswers) {
  const Calibration constant = normal_calibration({0.0}, 1, 6);
  EXPECT_EQ(plan_suite(constant, request_for(constant)).exit, Exit::kPass);
  Calibration one = normal_calibration({0.0}, 1, 2);
  one.columns[0].d = {0.001};
  one.rounds = 1;
  const SuitePlan plan = plan_suite(one, request_for(one));
  EXPECT_EQ(plan.columns.size(), 1U);
}

TEST(PlanSuite, RefusesWhatCannotBePlanned) {
  const Calibration calibration = normal_calibration({0.002});
  const auto expect = [&](Exit exit, const Calibration& from, const PlanRequest& request) {
    try {
      plan_suite(from, request);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), exit) << error.what();
    }
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double power : {0.0, 0.49, 1.0, nan}) {
    PlanRequest request = request_for(calibration);
    request.power = power;
    expect(Exit::kUsage, calibration, request);
  }
  for (const double slowdown : {0.0, -0.1, 11.0, nan}) {
    PlanRequest request = request_for(calibration);
    request.slowdown = slowdown;
    expect(Exit::kUsage, calibration, request);
  }
  PlanRequest request = request_for(calibration);
  request.policy.alpha = 0;
  expect(Exit::kUsage, calibration, request);
  request = request_for(calibration);
  request.policy.cases = {{.match = "*", .metric = {}, .tolerance = {}, .gate = false}};
  expect(Exit::kData, calibration, request);
  Calibration empty = calibration;
  empty.columns.clear();
  expect(Exit::kData, empty, request_for(calibration));
}

TEST(RounderTolerance, GoesUpInReadableSteps) {
  const auto rounder = [](double tolerance) { return rounder_tolerance(tolerance, Kind::kTime); };
  EXPECT_DOUBLE_EQ(rounder(0.0201), 0.025);
  EXPECT_DOUBLE_EQ(rounder(0.025), 0.025);
  EXPECT_DOUBLE_EQ(rounder(0.03), 0.03);
  EXPECT_DOUBLE_EQ(rounder(0.0999), 0.1);
  EXPECT_DOUBLE_EQ(rounder(0.1001), 0.11);
  EXPECT_DOUBLE_EQ(rounder(1.234), 1.24);
  EXPECT_EQ(rounder(0), 0);
  EXPECT_EQ(rounder(0.07), 0.07);
  EXPECT_DOUBLE_EQ(rounder_tolerance(123.4, Kind::kCount), 130);
  EXPECT_DOUBLE_EQ(rounder_tolerance(3, Kind::kScore), 3);
}

TEST(PlanReason, NamesTheCause) {
  Calibration calibration = normal_calibration({0.05}, 2);
  CalibratedColumn& noise = calibration.columns[0];
  const auto reason = [&] {
    return plan_suite(calibration, request_for(calibration)).columns[0].reason;
  };
  EXPECT_THAT(reason(), Not(HasSubstr("launches")));  // not known
  noise.between_sd = noise.round_sd;
  noise.pair_sd = 0;
  EXPECT_THAT(reason(), HasSubstr("between launches: only more rounds help"));
  noise.between_sd = 0;
  EXPECT_THAT(reason(), HasSubstr("more pairs help"));
  noise.setup_share = 0.83;
  EXPECT_THAT(reason(), HasSubstr("set-up takes 83 % of each slice"));
  noise.slice_s = 20e-6;
  EXPECT_THAT(reason(), HasSubstr("a slice lasts only 20 us"));
  calibration.policy.tolerance = 0.0005;
  for (std::size_t r = 0; r < noise.d.size(); ++r) {
    noise.d[r] = r % 10 == 0 ? 0.9 : 0.01 * (static_cast<double>(r % 3) - 1);
  }
  EXPECT_THAT(reason(), HasSubstr("unstable noise"));
}

}  // namespace
}  // namespace perfgate
