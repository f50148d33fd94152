// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/planning.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <stdexcept>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/stats/inference/max_t.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample;

// Standard normal draws by Box and Muller's method.
std::vector<double> normal_sample(std::size_t n, std::mt19937_64& random) {
  std::vector<double> values(n);
  for (double& value : values) {
    const double u = testing::uniform(random) + 0.5;
    const double v = testing::uniform(random);
    value = std::sqrt(-2.0 * std::log1p(-u)) * std::cos(6.283185307179586 * v);
  }
  return values;
}

TEST(NoiseSd, IsTheSampleSdBelowEightRounds) {
  for (std::size_t n = 2; n < 8; ++n) {
    EXPECT_EQ(noise_sd(sample(n, n)), sample_sd(sample(n, n)));
  }
  EXPECT_EQ(noise_sd(sample(1, 1)), 0.0);
}

TEST(NoiseSd, EstimatesTheSdOfNormalNoiseAndShrugsOffAnOutlier) {
  std::mt19937_64 random(4);
  double sum = 0.0;
  for (int i = 0; i < 400; ++i) {
    sum += noise_sd(normal_sample(24, random));
  }
  EXPECT_NEAR(sum / 400.0, 1.0, 0.06);
  std::vector<double> d = normal_sample(24, random);
  const double before = noise_sd(d);
  d[3] += 1000.0;
  EXPECT_LT(noise_sd(d), 2.0 * before);
  EXPECT_TRUE(noise_is_unstable(d));
}

TEST(NoiseSd, ScalesAndIgnoresShift) {
  std::vector<double> d = sample(16, 9);
  const double base = noise_sd(d);
  for (double& value : d) {
    value = 4.0 * value + 1.0;
  }
  EXPECT_NEAR(noise_sd(d), 4.0 * base, 1e-12);
  EXPECT_FALSE(noise_is_unstable(d));
  EXPECT_FALSE(noise_is_unstable(sample(7, 1)));
}

// The definition of the minimum detectable slowdown, by simulation: a column with exactly that
// slowdown is found in 80 % of trials (a t-quantile stands in for the flip test; hence the band).
TEST(DetectableDistance, IsFoundInEightyPercentOfTrials) {
  std::mt19937_64 random(11);
  const int n = 12;
  const double distance = detectable_distance(1.0, n, 0.05);
  int found = 0;
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> noise = normal_sample(n, random);
    Matrix x(n, 1);
    for (std::size_t r = 0; r < noise.size(); ++r) {
      x(r, 0) = noise[r] + distance;
    }
    found += static_cast<int>(max_t(x).p_adjusted[0] <= 0.05);
  }
  EXPECT_NEAR(found / 500.0, 0.8, 0.06);
}

TEST(DetectableDistance, ShrinksWithRoundsAndGrowsWithStrictness) {
  for (int n = 2; n < 60; ++n) {
    EXPECT_GT(detectable_distance(0.01, n, 0.003), detectable_distance(0.01, n + 1, 0.003));
    EXPECT_GT(detectable_distance(0.01, n, 0.001), detectable_distance(0.01, n, 0.003));
  }
  EXPECT_TRUE(std::isinf(detectable_distance(0.01, 1, 0.003)));
  EXPECT_TRUE(std::isinf(minimum_detectable(0.01, 40, 0.02, 0.0)));
  EXPECT_NEAR(minimum_detectable(0.0, 10, std::log(1.02), 0.003), 0.02, 1e-15);
}

TEST(RoundsNeeded, SpendsAsManyAsItSays) {
  EXPECT_EQ(rounds_needed(0.01, 0.005, 0.01), 43);
  EXPECT_EQ(rounds_needed(0.0, 0.005, 0.01), 7);  // 2^-7 is the first power below 1 %
  EXPECT_EQ(rounds_needed(0.0, 0.005, 1.0 / 64), 6);
  EXPECT_EQ(rounds_needed(0.01, 0.0, 0.01), std::nullopt);
  EXPECT_EQ(rounds_needed(0.01, -0.1, 0.01), std::nullopt);
  EXPECT_EQ(rounds_needed(0.01, 0.1, 0.0), std::nullopt);
  EXPECT_EQ(rounds_needed(1.0, 1e-9, 0.01), INT_MAX);
  EXPECT_EQ(rounds_needed(1.0, 1e-300, 0.01), INT_MAX);
}

TEST(PlanColumn, PassesExactlyAtTheToleranceItNames) {
  const std::vector<double> d = sample(16, 3);
  const Plan plan = plan_column(d, std::log(1.001), 0.003);
  ASSERT_TRUE(plan.passes_at.has_value());
  EXPECT_NEAR(std::log1p(*plan.passes_at), signed_rank_interval(d, 0.01).hi, 1e-15);
}

TEST(PlanColumn, OnlyOneOfPassAndFailIsAhead) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<double> d = sample(16, seed);
    const double tau = 0.002;
    const Plan plan = plan_column(d, tau, 0.003);
    EXPECT_EQ(plan.rounds_to_pass.has_value(), hodges_lehmann(d) < tau);
    EXPECT_EQ(plan.rounds_to_fail.has_value(), hodges_lehmann(d) > tau);
    EXPECT_FALSE(plan_column(d, tau, 0.0).rounds_to_fail.has_value());
  }
  EXPECT_FALSE(plan_column(sample(5, 1), 0.02, 0.003).passes_at.has_value());
  EXPECT_TRUE(plan_column(sample(6, 1), 0.02, 0.003).passes_at.has_value());
}

TEST(ForecastRounds, SurroundsThePrediction) {
  for (const int n : {2, 6, 10, 24, 200}) {
    const RoundsForecast forecast = *forecast_rounds(0.01, 0.004, 0.01, n);
    EXPECT_EQ(forecast.about, rounds_needed(0.01, 0.004, 0.01));
    EXPECT_LE(forecast.lo, forecast.about);
    EXPECT_GE(forecast.lo, 7);  // no fewer rounds can reach a level of 1 %
    if (forecast.hi) {
      EXPECT_GE(*forecast.hi, forecast.about);
    }
  }
}

TEST(ForecastRounds, NarrowsWithRoundsAndHasNoEndWhereTheDistanceMayBeZero) {
  const RoundsForecast few = *forecast_rounds(0.01, 0.01, 0.01, 8);
  const RoundsForecast many = *forecast_rounds(0.01, 0.01, 0.01, 100);
  ASSERT_TRUE(few.hi && many.hi);
  EXPECT_GT(*few.hi - few.lo, *many.hi - many.lo);
  EXPECT_FALSE(forecast_rounds(0.01, 0.002, 0.01, 8)->hi);
  EXPECT_FALSE(forecast_rounds(0.01, 0.01, 0.01, 1)->hi);
  EXPECT_FALSE(forecast_rounds(0.01, -0.01, 0.01, 8));
  EXPECT_FALSE(forecast_rounds(0.01, 0.01, 0.0, 8));
  // Beside the distance, the noise may be larger than it looks: that widens the range by itself.
  EXPECT_GT(*forecast_rounds(0.01, 0.02, 0.01, 8)->hi,
            *rounds_needed(0.01, 0.02 - 0.01 / std::sqrt(8.0), 0.01));
  const RoundsForecast exact = *forecast_rounds(0.0, 0.01, 0.01, 8);  // no noise at all
  EXPECT_EQ(exact.lo, exact.about);
  EXPECT_EQ(exact.hi, exact.about);
}

TEST(PlanColumn, SaysWhereTheNoiseIsNotOneLevel) {
  std::vector<double> d = sample(16, 3, 0.001);
  EXPECT_FALSE(plan_column(d, 0.02, 0.003).unstable);
  d[5] = 0.2;  // one stuck round moves the SD, not the interval
  EXPECT_TRUE(plan_column(d, 0.02, 0.003).unstable);
}

TEST(NoiseIsUnstable, FromTwiceTheOtherEstimateOn) {
  std::vector<double> d = sample(16, 3, 0.001);
  double below = 0.0;  // the largest ratio that is still called stable, the smallest that is not
  double above = 100.0;
  for (int step = 0; step < 400; ++step) {
    d[5] = 1e-5 * step;
    const double ratio = sample_sd(d) / noise_sd(d);
    (noise_is_unstable(d) ? above : below) =
        noise_is_unstable(d) ? std::min(above, ratio) : std::max(below, ratio);
  }
  EXPECT_LE(below, 2.0);
  EXPECT_GT(above, 2.0);
  EXPECT_NEAR(below, above, 0.05);
}

TEST(ColumnAlpha, IsSharedByTheUndecided) {
  EXPECT_DOUBLE_EQ(column_alpha(0.003, 3), 0.001);
  EXPECT_EQ(column_alpha(0.0, 3), 0.0);
  EXPECT_THROW(column_alpha(0.003, 0), std::invalid_argument);
}

TEST(Planning, RefusesWhatItCannotCompute) {
  const std::vector<double> bad{0.1, testing::kNaN, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1};
  EXPECT_THROW(noise_sd(bad), std::invalid_argument);
  EXPECT_THROW(noise_is_unstable(bad), std::invalid_argument);
  EXPECT_THROW(noise_sd(std::vector<double>{}), std::invalid_argument);
  EXPECT_THROW(plan_column(bad, 0.02, 0.003), std::invalid_argument);
  EXPECT_THROW(rounds_needed(-1.0, 0.1, 0.01), std::invalid_argument);
  EXPECT_THROW(rounds_needed(testing::kNaN, 0.1, 0.01), std::invalid_argument);
  EXPECT_THROW(rounds_needed(1.0, testing::kNaN, 0.01), std::invalid_argument);
  EXPECT_THROW(rounds_needed(1.0, 0.1, 1.0), std::invalid_argument);
  EXPECT_THROW(minimum_detectable(0.01, 10, testing::kNaN, 0.01), std::invalid_argument);
}

// The chance that normal noise shows a distance in n known-variance rounds: F(theta sqrt(n) / s -
// z).
TEST(Planning, PowerIsWhatIsAskedFor) {
  constexpr double kS = 0.1;
  constexpr double kTheta = 0.002;
  constexpr double kAlpha = 0.01;
  for (const double power : {0.5, 0.8, 0.9, 0.99}) {
    const int n = rounds_needed(kS, kTheta, kAlpha, power).value();
    const double shown = normal_cdf(kTheta * std::sqrt(n) / kS - normal_quantile(1 - kAlpha));
    EXPECT_NEAR(shown, power, 0.001);
    EXPECT_NEAR(detectable_distance(kS, n, kAlpha, power) / kTheta, 1, 0.001);
    EXPECT_DOUBLE_EQ(minimum_detectable(kS, n, 0.01, kAlpha, power),
                     std::expm1(0.01 + detectable_distance(kS, n, kAlpha, power)));
  }
  EXPECT_EQ(rounds_needed(kS, kTheta, kAlpha), rounds_needed(kS, kTheta, kAlpha, 0.8));
  for (const double power : {0.49, 1.0, testing::kNaN}) {
    EXPECT_THROW(rounds_needed(kS, kTheta, kAlpha, power), std::invalid_argument);
    EXPECT_THROW(detectable_distance(kS, 10, kAlpha, power), std::invalid_argument);
  }
}

}  // namespace
}  // namespace perfgate::stats
