// SPDX-License-Identifier: Apache-2.0
// From the slices of an A/A session to a calibration: variance components, costs, and what is left
// out. Sessions are made from known components.
#include "perfgate/verdict/planning/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/stats/design/two_stage.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::Noise;
using testing::HasSubstr;

struct Parts {
  double between;
  double within;
};

// An A/A session whose cases have these components, `pairs` pairs a round of which each takes
// 2 x 10 ms, one warm-up pair, and `launch_s` beyond that.
Session aa_session(const std::vector<Parts>& parts, int rounds, int pairs, std::uint64_t seed,
                   double launch_s = 0.1) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < parts.size(); ++c) names.push_back("case" + std::to_string(c));
  Session session = synthetic::empty_session(names);
  session.arms[1].digest = session.arms[0].digest;
  session.policy.pairs = pairs;
  for (CaseInfo& info : session.cases) {
    info.iterations = 10000;
    info.slice_s = 0.01;
  }
  Noise noise(seed);
  for (int r = 0; r < rounds; ++r) {
    RoundInfo& round = synthetic::add_round(session);
    round.started_s = 0.5 + r;
    round.wall_s = launch_s + static_cast<double>(parts.size()) * (pairs + 1) * 0.02;
    round.cpus = {3};
    for (std::size_t c = 0; c < parts.size(); ++c) {
      const double launch = noise(0, parts[c].between);
      synthetic::Values values{{}, {}};
      for (int p = 0; p < pairs; ++p) {
        values.baseline.push_back(1e-6);
        values.candidate.push_back(1e-6 * std::exp(launch + noise(0, parts[c].within)));
      }
      synthetic::add_case(session, c, {values});
    }
  }
  return session;
}

TEST(CalibrateNoise, RecoversTheComponentsOfTheNoise) {
  constexpr int kRounds = 400;
  const std::vector<Parts> parts = {{0.02, 0.01}, {0.001, 0.05}, {0.03, 0}, {0.01, 0.02}};
  const Calibration calibration = calibrate_noise(aa_session(parts, kRounds, 4, 3), Policy{});
  ASSERT_EQ(calibration.columns.size(), parts.size());
  EXPECT_EQ(calibration.rounds, kRounds);
  // The relative standard error of a standard deviation is 1 / sqrt(2 n); the round SD comes from
  // an interval, which costs a little.
  const double band = 5 / std::sqrt(2.0 * kRounds);
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const CalibratedColumn& column = calibration.columns[c];
    const double expected = stats::round_sd_of({parts[c].within, parts[c].between}, 4);
    EXPECT_NEAR(column.round_sd / expected, 1, band) << c;
    EXPECT_NEAR(column.sample_sd / expected, 1, band) << c;
    EXPECT_NEAR(column.pair_sd, parts[c].within, 0.1 * parts[c].within + 1e-6) << c;
    EXPECT_NEAR(std::hypot(column.between_sd, stats::round_sd_of({column.pair_sd, 0}, 4)),
                std::max(column.round_sd, stats::round_sd_of({column.pair_sd, 0}, 4)), 1e-5)
        << c;
  }
  EXPECT_NEAR(calibration.columns[0].between_sd / 0.02, 1, band + 0.05);
  EXPECT_NEAR(calibration.columns[2].between_sd / 0.03, 1, band);
}

TEST(CalibrateNoise, SeparatesLaunchingFromSlices) {
  const Session session = aa_session({{0.01, 0.01}, {0.01, 0.01}}, 20, 4, 4, 0.3);
  const Calibration calibration = calibrate_noise(session, Policy{});
  EXPECT_NEAR(calibration.round_s, 0.5, 1e-9);
  EXPECT_NEAR(calibration.launch_s, 0.3, 0.01);
  for (const CalibratedColumn& column : calibration.columns) {
    EXPECT_NEAR(column.pair_s, 0.02, 0.001);
  }
  EXPECT_DOUBLE_EQ(calibration.start_s, 0.5);
}

TEST(CalibrateNoise, CountsSetUpToTheSlices) {
  Session session = aa_session({{0.01, 0.01}}, 20, 4, 5, 0.3);
  session.cases[0].setup_share = 0.5;  // another 10 ms beside the timed ones
  EXPECT_NEAR(calibrate_noise(session, Policy{}).columns[0].pair_s, 0.04, 0.002);
}

TEST(CalibrateNoise, ScalesSlicesThatTookLessThanForeseen) {
  Session session = aa_session({{0.01, 0.01}}, 20, 4, 6, -0.05);  // 50 ms for 100 ms of slices
  const Calibration calibration = calibrate_noise(session, Policy{});
  EXPECT_EQ(calibration.launch_s, 0);
  EXPECT_NEAR(5 * calibration.columns[0].pair_s, calibration.round_s, 1e-6);
}

TEST(CalibrateNoise, CountsLaunchesToThePairsOfAProcessPerSuite) {
  Session session = aa_session({{0.01, 0.01}, {0.01, 0.01}}, 20, 4, 7, 0.3);
  for (ArmInfo& arm : session.arms) arm.driver = DriverKind::kProcessPerSuite;
  const Calibration calibration = calibrate_noise(session, Policy{});
  EXPECT_EQ(calibration.launch_s, 0);
  double pairs_s = 0;
  for (const CalibratedColumn& column : calibration.columns) pairs_s += 5 * column.pair_s;
  EXPECT_NEAR(pairs_s, calibration.round_s, 1e-5);
}

TEST(CalibrateNoise, KeepsTheGatesPolicyAndWhatWasMeasured) {
  Policy gate;
  gate.tolerance = 0.07;
  gate.budget_s = 33;
  gate.pairs = 9;
  const Calibration calibration = calibrate_noise(aa_session({{0.01, 0.01}}, 20, 4, 8), gate);
  EXPECT_EQ(calibration.policy.tolerance, 0.07);
  EXPECT_EQ(calibration.policy.budget_s, 33);
  EXPECT_EQ(calibration.policy.pairs, 4);
  EXPECT_EQ(calibration.cpus, std::vector<int>{3});
  EXPECT_NEAR(calibration.columns[0].value, 1e-6, 1e-7);
}

TEST(CalibrateNoise, ConstantTimingsHaveNoNoise) {
  const Calibration calibration = calibrate_noise(aa_session({{0, 0}}, 6, 4, 9), Policy{});
  const CalibratedColumn& column = calibration.columns[0];
  EXPECT_EQ(column.round_sd, 0);
  EXPECT_EQ(column.sample_sd, 0);
  EXPECT_EQ(column.pair_sd, 0);
  EXPECT_EQ(column.between_sd, 0);
  EXPECT_EQ(column.d, std::vector<double>(6, 0.0));
  EXPECT_FALSE(std::signbit(column.d[0]));
}

TEST(CalibrateNoise, OnePairARoundSaysNothingOfPairs) {
  const Calibration calibration = calibrate_noise(aa_session({{0.01, 0.01}}, 20, 1, 10), Policy{});
  EXPECT_TRUE(std::isnan(calibration.columns[0].pair_sd));
  EXPECT_TRUE(std::isnan(calibration.columns[0].between_sd));
  calibration_from_json(calibration_to_json(calibration), "c.json");
}

TEST(CalibrateNoise, LeavesFaultyCasesOutAndSaysWhy) {
  Session session = aa_session({{0.01, 0.01}, {0.01, 0.01}}, 20, 4, 11);
  synthetic::add_fault(session, 1, 1, FaultKind::kCrashed, "killed by signal 11", 7);
  for (std::size_t r = 7; r < session.rounds.size(); ++r) session.rounds[r].cases.resize(1);
  const Calibration calibration = calibrate_noise(session, Policy{});
  EXPECT_EQ(calibration.rounds, 20);
  ASSERT_EQ(calibration.columns.size(), 1U);
  ASSERT_EQ(calibration.left_out.size(), 1U);
  EXPECT_EQ(calibration.left_out[0].case_name, "case1");
  EXPECT_THAT(calibration.left_out[0].reason, HasSubstr("killed by signal 11"));
}

TEST(CalibrateNoise, DropsARoundThatTheBudgetCutShort) {
  Session session = aa_session({{0.01, 0.01}, {0.01, 0.01}}, 20, 4, 12);
  session.rounds.back().cases.pop_back();
  const Calibration calibration = calibrate_noise(session, Policy{});
  EXPECT_EQ(calibration.rounds, 19);
  for (const CalibratedColumn& column : calibration.columns) EXPECT_EQ(column.d.size(), 19U);
  EXPECT_THAT(calibration.warnings, testing::Contains(HasSubstr("19 rounds")));
}

TEST(CalibrateNoise, LeavesOutAMetricThatComesAndGoes) {
  Session session = synthetic::empty_session(
      {"one"}, {Metric{}, {.name = "allocs", .unit = "1", .kind = Kind::kCount}});
  session.arms[1].digest = session.arms[0].digest;
  for (int r = 0; r < 20; ++r) {
    synthetic::add_round(session).wall_s = 1;
    const double allocs = r == 3 ? NAN : 5;
    synthetic::add_case(session, 0, {{{1e-6}, {1e-6}}, {{allocs}, {allocs}}});
  }
  const Calibration calibration = calibrate_noise(session, Policy{});
  ASSERT_EQ(calibration.columns.size(), 1U);
  ASSERT_EQ(calibration.left_out.size(), 1U);
  EXPECT_EQ(calibration.left_out[0].reason, "allocs is there in 19 of 20 rounds");
}

void expect_refused(const Session& session, Exit exit, const std::string& message) {
  try {
    calibrate_noise(session, Policy{});
    ADD_FAILURE() << "accepted; expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), exit) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(CalibrateNoise, RefusesWhatIsNoCalibration) {
  const Session good = aa_session({{0.01, 0.01}}, 6, 4, 13);
  calibrate_noise(good, Policy{});
  Session session = good;
  session.arms[1].digest = "sha256:other";
  expect_refused(session, Exit::kInvalid, "two executables");
  session = good;
  session.arms.pop_back();
  expect_refused(session, Exit::kInvalid, "1 arm");
  session = good;
  session.rounds.pop_back();
  expect_refused(session, Exit::kInconclusive, "only 5 round(s)");
  session.rounds.resize(1);
  expect_refused(session, Exit::kInconclusive, "only 1 round(s)");
  session.rounds.clear();
  expect_refused(session, Exit::kInconclusive, "only 0 round(s)");
  session = good;
  synthetic::add_fault(session, 0, 0, FaultKind::kCrashed);
  expect_refused(session, Exit::kInconclusive, "no case could be calibrated");
  session = good;
  session.cases.clear();
  session.rounds.clear();
  expect_refused(session, Exit::kInconclusive, "no case could be calibrated");
}

}  // namespace
}  // namespace perfgate
