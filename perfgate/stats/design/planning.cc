// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/planning.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::stats {
namespace {

constexpr double kCi95PerSide = 0.025;
// Fewest rounds from whose interval the noise is taken: at 6 and 7 it is close to [min, max].
constexpr std::size_t kIntervalNoiseRounds = 8;

// How far the distance (in standard errors) and the noise (in its own) may move: .95 of each. The
// relative variance of the estimated noise is .5 / (n - 1) for normal rounds and up to 1.5 / (n -
// 1) for heavy tails. Chosen so that the range holds the true number in about 80 % of simulated
// cases from 10 rounds on (docs/statistics.md, table rounds_needed).
constexpr double kRangeWidth = 0.95;
constexpr double kNoiseVariance = 1.2;

void require_noise_and_level(double s, double alpha, double power) {
  require(std::isfinite(s) && s >= 0.0, "planning: the noise must be a number >= 0");
  require(alpha >= 0.0 && alpha < 1.0, "planning: alpha must be in [0, 1)");
  require(power >= 0.5 && power < 1.0, "planning: the power must be in [.5, 1)");
}

}  // namespace

double noise_sd(std::span<const double> d) {
  require(!d.empty(), "noise_sd: no rounds");
  require_finite(d, "noise_sd");
  if (d.size() < 2) {
    return 0.0;
  }
  if (d.size() < kIntervalNoiseRounds) {
    return sample_sd(d);
  }
  const auto n = static_cast<double>(d.size());
  const Interval ci = signed_rank_interval(d, kCi95PerSide);
  const double scale =
      (ci.hi - ci.lo) * std::sqrt(n) / (2.0 * student_t_quantile(1.0 - kCi95PerSide, n - 1.0));
  require(std::isfinite(scale), "noise_sd: the rounds spread beyond the range of a double");
  return scale;
}

bool noise_is_unstable(std::span<const double> d) {
  if (d.size() < kIntervalNoiseRounds) {
    return false;
  }
  const double scale = noise_sd(d);
  const double sd = sample_sd(d);
  return scale > 2.0 * sd || sd > 2.0 * scale;
}

double column_alpha(double alpha_last, int undecided) {
  require(alpha_last >= 0.0 && alpha_last < 1.0, "column_alpha: alpha must be in [0, 1)");
  require(undecided >= 1, "column_alpha: needs at least one undecided column");
  return alpha_last / undecided;
}

double detectable_distance(double s, int n, double alpha, double power) {
  require_noise_and_level(s, alpha, power);
  if (n < 2 || alpha == 0.0) {
    return std::numeric_limits<double>::infinity();
  }
  return (student_t_quantile(1.0 - alpha, n - 1) + normal_quantile(power)) * s / std::sqrt(n);
}

double minimum_detectable(double s, int n, double tau, double alpha, double power) {
  require(std::isfinite(tau), "minimum_detectable: the tolerance must be a number");
  return std::expm1(tau + detectable_distance(s, n, alpha, power));
}

std::optional<int> rounds_needed(double s, double theta, double alpha, double power) {
  require_noise_and_level(s, alpha, power);
  require(std::isfinite(theta), "rounds_needed: the distance must be a number");
  if (theta <= 0.0 || alpha == 0.0) {
    return std::nullopt;
  }
  const double z = normal_quantile(1.0 - alpha);
  const double root = (z + normal_quantile(power)) * s / theta;
  const double rounds =
      std::max(std::ceil(root * root + z * z / 2.0), std::ceil(std::log2(1.0 / alpha)));
  return rounds < INT_MAX ? static_cast<int>(rounds) : INT_MAX;
}

std::optional<RoundsForecast> forecast_rounds(double s, double theta, double alpha, int n) {
  const std::optional<int> about = rounds_needed(s, theta, alpha);
  if (!about) {
    return std::nullopt;
  }
  if (n < 2) {
    return RoundsForecast{*about, 1, std::nullopt};
  }
  const double factor = std::exp(kRangeWidth * std::sqrt(kNoiseVariance / (n - 1)));
  const double error = kRangeWidth * s / std::sqrt(n);
  const std::optional<int> lo = rounds_needed(s / factor, theta + error, alpha);
  return RoundsForecast{*about, lo.value_or(1), rounds_needed(s * factor, theta - error, alpha)};
}

Plan plan_column(std::span<const double> d, double tau, double alpha) {
  const auto n = static_cast<int>(d.size());
  const double estimate = hodges_lehmann(d);
  Plan plan;
  plan.noise_sd = noise_sd(d);
  plan.minimum_detectable = minimum_detectable(plan.noise_sd, n, tau, alpha);
  if (n >= kMinimumRounds) {
    plan.passes_at = std::expm1(signed_rank_interval(d, sequential_level(n)).hi);
  }
  plan.rounds_to_pass = forecast_rounds(plan.noise_sd, tau - estimate, kPassPlanningAlpha, n);
  plan.rounds_to_fail = forecast_rounds(plan.noise_sd, estimate - tau, alpha, n);
  plan.unstable = noise_is_unstable(d);
  return plan;
}

}  // namespace perfgate::stats
