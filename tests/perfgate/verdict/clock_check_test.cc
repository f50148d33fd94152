// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/clock_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/verdict/ablation/ablation.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::find_column;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kRounds = 12;

Metric metric_of(std::string_view name) {
  for (const GpuMetric& m : kGpuMetrics) {
    if (m.name == name) return {std::string(m.name), std::string(m.unit), m.direction, m.kind};
  }
  ADD_FAILURE() << name;
  return {};
}

// What one arm does: seconds per call, the SM clock it ran at, and why the clock was held down.
struct Arm {
  double seconds = 1e-4;
  double mhz = 1980;
  double throttle = 0;
  double calls = 1;
};

Session session_of(const Arm& baseline, const Arm& candidate, double noise = 1e-3) {
  const std::vector<Metric> metrics = {Metric{}, metric_of(kGpuCycles), metric_of(kGpuSmMhz),
                                       metric_of(kGpuThrottle), metric_of(kGpuCallsPerSample)};
  Session session = synthetic::empty_session({"gpu"}, metrics, kRounds);
  synthetic::Noise random(7);
  for (int r = 0; r < kRounds; ++r) {
    synthetic::add_round(session);
    const double b = baseline.seconds * std::exp(random(0, noise));
    const double c = candidate.seconds * std::exp(random(0, noise));
    synthetic::add_case(session, 0,
                        {{{b}, {c}},
                         {{b * baseline.mhz * 1e6}, {c * candidate.mhz * 1e6}},
                         {{baseline.mhz}, {candidate.mhz}},
                         {{baseline.throttle}, {candidate.throttle}},
                         {{baseline.calls}, {candidate.calls}}});
  }
  return session;
}

TEST(ClockCheck, ARegressionAtEqualClocksStands) {
  const SuiteVerdict suite = decide(session_of({1e-4}, {1.05e-4}));
  EXPECT_EQ(find_column(suite, "gpu").verdict, Verdict::kRegression);
  EXPECT_EQ(suite.exit, Exit::kRegression);
  EXPECT_EQ(suite.columns.size(), 1U) << "conditions have no columns of their own";
}

TEST(ClockCheck, ALowerClockIsNoRegression) {
  // The same 198,000 cycles at 1980 and at 1886 MHz.
  const SuiteVerdict suite = decide(session_of({1e-4, 1980, 0}, {1e-4 * 1980 / 1886, 1886, 0x4}));
  const ColumnVerdict& column = find_column(suite, "gpu");
  EXPECT_EQ(column.verdict, Verdict::kInconclusive);
  EXPECT_NE(column.claim, Claim::kStrong);
  EXPECT_THAT(column.reason,
              AllOf(StartsWith("clock: time +"), HasSubstr("1980 MHz against 1886 MHz"),
                    HasSubstr("throttled by none against sw_power_cap")));
  // Its interval ends below the hide limit, and still it does not pass.
  EXPECT_LT(column.effect.hi, suite.policy.hide_limit);
  EXPECT_EQ(suite.exit, Exit::kInconclusive);
}

TEST(ClockCheck, ARegressionBehindALowerClockStands) {
  // 10 % slower, of which the clock explains 5 %.
  const SuiteVerdict suite = decide(session_of({1e-4, 1980}, {1.10e-4, 1886}));
  EXPECT_EQ(find_column(suite, "gpu").verdict, Verdict::kRegression);
}

TEST(ClockCheck, AnImprovementOfTheClockIsNone) {
  const SuiteVerdict suite = decide(session_of({1e-4 * 1980 / 1886, 1886}, {1e-4, 1980}));
  const ColumnVerdict& column = find_column(suite, "gpu");
  EXPECT_EQ(column.verdict, Verdict::kNoRegression);
  EXPECT_THAT(column.reason, AllOf(StartsWith("clock: time -"), Not(HasSubstr("throttled"))));
  EXPECT_EQ(decide(session_of({1.1e-4}, {1e-4})).columns[0].verdict, Verdict::kImprovement);
}

TEST(ClockCheck, NoOptionIsPromotedForItsClock) {
  const std::vector<Toggle> toggles = {{"x:1", "gpu", "gpu", 0, 1}};
  const auto row_of = [&](const Session& session) {
    return decide_ablation(session, toggles).rows.at(0);
  };
  EXPECT_EQ(row_of(session_of({1.1e-4}, {1e-4})).promotion, Promotion::kPromote);
  const AblationRow row = row_of(session_of({1e-4 * 1980 / 1886, 1886}, {1e-4, 1980}));
  EXPECT_EQ(row.promotion, Promotion::kUnresolved);
  EXPECT_EQ(row.columns[0].verdict.claim, Claim::kDirectional);
  EXPECT_THAT(row.columns[0].verdict.reason,
              AllOf(StartsWith("clock: time -"), HasSubstr("1886 MHz against 1980 MHz")));
  EXPECT_EQ(row_of(session_of({1e-4, 1980}, {1e-4 * 1980 / 1886, 1886})).promotion,
            Promotion::kUnresolved);
  // More rounds may show it in the cycles too.
  EXPECT_THAT(open_ablation_cases(session_of({1e-4 * 1980 / 1886, 1886}, {1e-4, 1980})),
              testing::ElementsAre(true));
}

// A stage of the case, gated beside its time.
Session with_stage(Session session, double baseline, double candidate) {
  session.metrics.push_back({"stage", "s", Direction::kLower, Kind::kTime});
  synthetic::Noise random(11);
  for (RoundInfo& round : session.rounds) {
    const auto slices = round.cases[0].values[0][0].size();
    round.cases[0].values.push_back(
        {std::vector<double>(slices, baseline * std::exp(random(0, 1e-3))),
         std::vector<double>(slices, candidate * std::exp(random(0, 1e-3)))});
  }
  return session;
}

TEST(ClockCheck, AStageIsAskedAtEqualClocksToo) {
  // The case as a whole is as fast as before, and its stage is not.
  const Session slower = with_stage(session_of({1e-4}, {1e-4}), 1e-5, 1.1e-5);
  EXPECT_EQ(find_column(decide(slower), "gpu", "stage").verdict, Verdict::kRegression);
  const Session faster = with_stage(session_of({1e-4}, {1e-4}), 1.1e-5, 1e-5);
  EXPECT_EQ(find_column(decide(faster), "gpu", "stage").verdict, Verdict::kImprovement);
  EXPECT_EQ(
      decide_ablation(faster, std::vector<Toggle>{{"x:1", "gpu", "gpu", 0, 1}}).rows[0].promotion,
      Promotion::kPromote);
  // All of it is the clock's.
  const double clock = 1980.0 / 1886;
  const Session slowed =
      with_stage(session_of({1e-4, 1980}, {1e-4 * clock, 1886}), 1e-5, 1e-5 * clock);
  EXPECT_EQ(find_column(decide(slowed), "gpu", "stage").verdict, Verdict::kInconclusive);
}

TEST(ClockCheck, OtherCallsPerSampleDoNotCompare) {
  const SuiteVerdict suite = decide(session_of({1e-4, 1980, 0, 64}, {1e-4, 1980, 0, 1}));
  EXPECT_EQ(find_column(suite, "gpu").verdict, Verdict::kNotComparable);
  EXPECT_THAT(find_column(suite, "gpu").reason, HasSubstr("64 calls per sample against 1"));
  EXPECT_EQ(suite.exit, Exit::kNotComparable);
}

TEST(ClockCheck, CasesWithoutCyclesAreLeftAlone) {
  Session session = session_of({1e-4, 1980}, {1e-4 * 1980 / 1886, 1886});
  for (RoundInfo& round : session.rounds) {
    for (CaseRound& measured : round.cases) {
      for (auto& arm : measured.values[1]) {
        for (double& value : arm) value = std::nan("");
      }
    }
  }
  EXPECT_EQ(find_column(decide(session), "gpu").verdict, Verdict::kRegression);
}

TEST(ClockCheck, ConditionsThatOneArmLacksAreNotMissing) {
  Session session = session_of({1e-4}, {1e-4});
  for (RoundInfo& round : session.rounds) {
    for (double& value : round.cases[0].values[3][1]) value = std::nan("");
  }
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.columns.size(), 1U);
  EXPECT_EQ(suite.exit, Exit::kPass);
}

TEST(ClockCheck, WhatWasOtherOnTheDeviceIsSaid) {
  EXPECT_THAT(decide(session_of({1e-4}, {1e-4})).warnings, testing::IsEmpty());
  EXPECT_THAT(decide(session_of({1e-4, 1980, 0x1}, {1e-4, 1980, 0x4})).warnings,
              testing::ElementsAre("GPU clocks were held down by none in the baseline and by "
                                   "sw_power_cap in the candidate"));
  Session session = session_of({1e-4}, {1e-4});
  session.metrics[3] = metric_of(kGpuOtherProcesses);
  for (RoundInfo& round : session.rounds) {
    for (auto& arm : round.cases[0].values[3]) {
      for (double& value : arm) value = 1;  // the other arm
    }
  }
  EXPECT_THAT(decide(session).warnings, testing::IsEmpty());
  session.rounds[2].cases[0].values[3][0][0] = 3;
  EXPECT_THAT(decide(session).warnings,
              testing::ElementsAre("2 process(es) of others were on the GPU"));
}

TEST(ClockCheck, ThrottleReasonsHaveWords) {
  EXPECT_EQ(throttle_words(0), "none");
  EXPECT_EQ(throttle_words(1), "none") << "an idle device is not throttled";
  EXPECT_EQ(throttle_words(0x44), "sw_power_cap, hw_thermal_slowdown");
}

}  // namespace
}  // namespace perfgate
