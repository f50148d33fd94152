// SPDX-License-Identifier: Apache-2.0
// planning.h: what an undecided column could still hide, and how many rounds would settle it.
//
// Logs are natural, positive = slower. "Slowdown" s means time x (1 + s). Power is 80 % throughout.
// Predictions from few rounds are rough, so they come with a range.
// Throw std::invalid_argument for non-finite arguments and where said.
#pragma once

#include <optional>
#include <span>

namespace perfgate::stats {

// Rounds beyond which a prediction is shown as ">1000".
inline constexpr int kMaxPrintedRounds = 1000;

// Chance with which a predicted number of rounds settles what it is predicted for.
inline constexpr double kPlanningPower = 0.8;

// Round-to-round standard deviation of d, log units. From n = 8 on it is the half-width of CI95
// times sqrt(n) / t_{.975, n-1}, which a single outlier does not move; below, the sample SD. 0 when
// n = 1.
double noise_sd(std::span<const double> d);

// The two estimates of the noise differ by more than 2x (n >= 8): a mixture of states rather than
// one noise level. Predictions are then off by up to 4x.
bool noise_is_unstable(std::span<const double> d);

// Level that one column is tested with for FAIL: alpha of the last look over the undecided columns.
// 0 when alpha_last is 0. Throws when undecided < 1.
double column_alpha(double alpha_last, int undecided);

// Distance above the tolerance, log units, that n rounds of noise s find at one-sided level alpha:
// (t_{1-alpha, n-1} + z_power) s / sqrt(n). Infinity when n < 2 or alpha is 0. power in [.5, 1).
double detectable_distance(double s, int n, double alpha, double power = kPlanningPower);

// Smallest detectable slowdown above tolerance tau: exp(tau + detectable_distance) - 1.
double minimum_detectable(double s, int n, double tau, double alpha, double power = kPlanningPower);

// Rounds to resolve a distance theta at one-sided level alpha:
// ceil(((z_{1-alpha} + z_power) s / theta)^2 + z_{1-alpha}^2 / 2), at least ceil(log2(1 / alpha)).
// None when theta <= 0 or alpha is 0: no number of rounds settles it. Saturates at INT_MAX. power
// in
// [.5, 1).
std::optional<int> rounds_needed(double s, double theta, double alpha,
                                 double power = kPlanningPower);

// Per-side level used to predict PASS.
inline constexpr double kPassPlanningAlpha = 0.01;

// A prediction and the range that holds the true number in about 80 % of cases.
struct RoundsForecast {
  int about = 0;
  int lo = 0;
  std::optional<int> hi;  // none: the true distance may be 0, so no number need be enough
};

// Rounds in total for the observed distance theta of n rounds with noise s, at one-sided level
// alpha; none where rounds_needed() is none. The range lets the distance and the noise move by what
// n rounds leave open. n >= 2; fewer give no range: lo = 1, no hi.
std::optional<RoundsForecast> forecast_rounds(double s, double theta, double alpha, int n);

// The plan printed for an undecided column.
struct Plan {
  double noise_sd = 0.0;
  double minimum_detectable = 0.0;  // slowdown; infinity when nothing is
  std::optional<double> passes_at;  // "would PASS at tolerance": exp(U) - 1; none if n < 6
  // In total, not in addition. None if the estimate is on the wrong side of tau (to pass: not below
  // it; to fail: not above it), or if nothing can FAIL.
  std::optional<RoundsForecast> rounds_to_pass;
  std::optional<RoundsForecast> rounds_to_fail;
  bool unstable = false;  // noise_is_unstable(): the forecasts may be off by more than they say
};

// d: [n] rounds of the column so far; alpha: column_alpha() of it.
Plan plan_column(std::span<const double> d, double tau, double alpha);

}  // namespace perfgate::stats
