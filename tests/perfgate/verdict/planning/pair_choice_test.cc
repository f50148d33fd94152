// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/pair_choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/verdict/planning/noise_analysis.h"
#include "perfgate/verdict/planning/rounds_to_pass.h"
#include "tests/perfgate/verdict/synthetic_calibration.h"

namespace perfgate {
namespace {

using synthetic::normal_calibration;
using synthetic::set_parts;

int best_pairs(const Calibration& calibration) {
  const PairAdvice advice = advise_pairs(calibration, calibration.policy);
  return advice.choices[advice.best].pairs;
}

TEST(RoundsToPass, AgreesWithTheFirstLook) {
  const double tau = std::log(1.02);
  // All of 6 rounds are below tau with the power asked for.
  for (const double power : {0.5, 0.8, 0.95}) {
    const double sd = tau / stats::normal_quantile(std::pow(power, 1.0 / 6));
    EXPECT_EQ(rounds_to_pass(sd * 0.999, {tau, false}, power), 6);
    EXPECT_GT(rounds_to_pass(sd * 1.001, {tau, false}, power).value(), 6);
  }
  EXPECT_EQ(rounds_to_pass(0, {tau, false}), 6);
  EXPECT_EQ(rounds_to_pass(0, {0, true}), 6);  // equal counts
  EXPECT_EQ(rounds_to_pass(0, {0, false}), std::nullopt);
  EXPECT_EQ(rounds_to_pass(0.01, {0, false}), std::nullopt);
  EXPECT_GT(rounds_to_pass(1, {tau, false}).value(), 1000);
}

TEST(NextLook, RoundsUp) {
  EXPECT_EQ(next_look(1), 6);
  EXPECT_EQ(next_look(6), 6);
  EXPECT_EQ(next_look(7), 10);
  EXPECT_EQ(next_look(25), 40);
  EXPECT_EQ(next_look(41), 41);
}

TEST(AdvisePairs, WantsManyWherePairsAreTheNoiseAndLaunchesAreDear) {
  Calibration calibration = normal_calibration({0.02});
  calibration.launch_s = 5;
  set_parts(calibration, 0.08, 0.0);
  EXPECT_GE(best_pairs(calibration), 16);
}

TEST(AdvisePairs, WantsFewWhereLaunchesAreTheNoise) {
  Calibration calibration = normal_calibration({0.02});
  calibration.launch_s = 0.001;
  set_parts(calibration, 0.001, 0.025);
  EXPECT_EQ(best_pairs(calibration), 1);
}

TEST(AdvisePairs, KeepsWhatIsMeasuredWhereNothingIsGained) {
  Calibration calibration = normal_calibration({0.02});
  calibration.launch_s = 100;  // whatever the pairs, the launches are the time
  set_parts(calibration, 0.0001, 0.025);
  EXPECT_EQ(best_pairs(calibration), 4);
  calibration = normal_calibration({0.02});  // pair SDs not known
  const PairAdvice advice = advise_pairs(calibration, calibration.policy);
  ASSERT_EQ(advice.choices.size(), 1U);
  EXPECT_EQ(advice.choices[0].pairs, 4);
}

TEST(AdvisePairs, CountsEveryRoundAndPair) {
  Calibration calibration = normal_calibration({0.02, 0.02});
  set_parts(calibration, 0.0, 0.001);
  calibration.policy.pairs = 3;
  const PairAdvice advice = advise_pairs(calibration, calibration.policy);
  ASSERT_EQ(advice.choices.size(), 7U);  // 1, 2, 3, 4, 8, 16, 32
  EXPECT_EQ(advice.choices[advice.measured].pairs, 3);
  for (const PairChoice& choice : advice.choices) {
    EXPECT_EQ(choice.rounds, 6);
    EXPECT_NEAR(choice.suite_s, 6 * 0.1 + 2 * 6 * (choice.pairs + 1) * 0.02, 1e-9);
  }
  EXPECT_EQ(advice.hopeless, 0);
}

TEST(AdvisePairs, HopelessCasesDoNotDecide) {
  Calibration calibration = normal_calibration({0.02, 0.02});
  set_parts(calibration, 0.0001, 0.001);
  calibration.columns[1].between_sd = 5;
  const PairAdvice advice = advise_pairs(calibration, calibration.policy);
  EXPECT_EQ(advice.hopeless, 1);
  for (const PairChoice& choice : advice.choices) EXPECT_EQ(choice.rounds, 6);
  calibration.policy.tolerance = 0;
  EXPECT_EQ(advise_pairs(calibration, calibration.policy).hopeless, 2);
}

TEST(AnalyseNoise, JudgesTheRecordedRoundsAsTheyCame) {
  Calibration calibration = normal_calibration({0.001, 0.5});
  std::vector<double> slow(40, 0.3);  // no A/A data does this; the gate must call it
  for (std::size_t r = 0; r < slow.size(); ++r) slow[r] += 0.001 * static_cast<double>(r % 5);
  synthetic::add_column(calibration, "slow", slow);
  const NoiseAnalysis analysis = analyse_noise(calibration, 100);
  EXPECT_EQ(analysis.regressions, 1);
  EXPECT_EQ(analysis.passes, 1);
  EXPECT_EQ(analysis.undecided, 1);
  EXPECT_EQ(analysis.suite, stats::Outcome::kFail);
  EXPECT_EQ(analysis.columns[0].outcome, stats::Outcome::kPass);
  EXPECT_EQ(analysis.columns[1].outcome, stats::Outcome::kUndecided);
  EXPECT_EQ(analysis.columns[2].outcome, stats::Outcome::kFail);
  EXPECT_EQ(analysis.columns[0].rounds_to_pass, 6);
  EXPECT_LT(*analysis.columns[0].detectable, *analysis.columns[1].detectable);
}

TEST(AnalyseNoise, FlagsTwoStates) {
  Calibration calibration = normal_calibration({0.001});
  std::vector<double> d;
  d.reserve(40);
  for (int r = 0; r < 40; ++r) d.push_back(r % 10 == 0 ? 0.3 : 0.001 * (r % 3 - 1));
  synthetic::add_column(calibration, "states", d);
  const NoiseAnalysis analysis = analyse_noise(calibration, 100);
  EXPECT_FALSE(analysis.columns[0].unstable);
  EXPECT_TRUE(analysis.columns[1].unstable);
}

TEST(AnalyseNoise, ABudgetWithoutALookDecidesNothing) {
  Calibration calibration = normal_calibration({0.001});
  calibration.policy.budget_s = 0.5;  // rounds take 0.2 s
  const NoiseAnalysis analysis = analyse_noise(calibration, 100);
  EXPECT_EQ(analysis.resampled.gates, 0);
  EXPECT_EQ(analysis.undecided, 1);
  EXPECT_FALSE(analysis.columns[0].detectable.has_value());
}

}  // namespace
}  // namespace perfgate
