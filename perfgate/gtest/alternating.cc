// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gtest/alternating.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/max_t.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::testing {
namespace {

constexpr double kTwoSided95 = 0.025;  // per side
constexpr int kMaxRounds = 64;         // coins fit one word

void require_option(bool good, const std::string& what) {
  if (!good) {
    throw Error(Exit::kUsage, "alternate: " + what);
  }
}

void validate(double tolerance, const AlternatingOptions& options) {
  require_option(std::isfinite(tolerance) && tolerance >= 0,
                 "tolerance is " + std::to_string(tolerance) +
                     "; give an accepted slowdown as a fraction, 0.10 for 10 %");
  require_option(options.alpha > 0 && options.alpha < 1,
                 "alpha is " + std::to_string(options.alpha) + "; give one between 0 and 1");
  require_option(options.rounds >= stats::kMinimumRounds && options.rounds <= kMaxRounds,
                 "rounds is " + std::to_string(options.rounds) + "; give 6 to 64");
  require_option(std::ldexp(1.0, -options.rounds) <= options.alpha,
                 std::to_string(options.rounds) + " rounds can never show a slowdown at alpha " +
                     std::to_string(options.alpha) + "; give more rounds");
  require_option(std::isfinite(options.slice_s) && options.slice_s > 0,
                 "slice_s is " + std::to_string(options.slice_s) + "; give seconds above 0");
  require_option(options.pairs >= 2 && options.pairs % 2 == 0,
                 "pairs is " + std::to_string(options.pairs) +
                     "; give an even number, so that each arm goes first equally often");
}

double timed(const SliceFunction& slice, Arm arm, std::int64_t iterations) {
  const double seconds = slice(arm, iterations);
  if (!std::isfinite(seconds) || seconds < 0) {
    throw Error(Exit::kInvalid, "alternate: a slice took " + std::to_string(seconds) +
                                    " s; the clock must go forward");
  }
  return seconds;
}

// Iterations of the baseline that take about slice_s. Steps of at most 10x, so that a slow first
// call (page faults, lazy set-up) does not decide alone.
std::int64_t calibrate(const SliceFunction& slice, double slice_s) {
  constexpr std::int64_t kLimit = 1'000'000'000'000;
  std::int64_t iterations = 1;
  while (iterations <= kLimit) {
    const double seconds = timed(slice, Arm::kBaseline, iterations);
    if (seconds >= 0.9 * slice_s) {
      return iterations;
    }
    const double factor = seconds > 0 ? std::clamp(slice_s / seconds, 1.1, 10.0) : 10.0;
    iterations = static_cast<std::int64_t>(std::ceil(static_cast<double>(iterations) * factor));
  }
  throw Error(Exit::kInvalid,
              "alternate: 1e12 calls of the baseline are still shorter than a slice; the optimiser "
              "removed the work, or the clock stands still");
}

struct Round {
  double statistic = 0;                // median over pairs of log(candidate / baseline)
  std::array<double, 2> seconds = {};  // median slice of each arm
};

Round measure_round(const SliceFunction& slice, std::int64_t iterations, int pairs, int first) {
  std::array<std::vector<double>, 2> seconds;
  std::vector<double> ratios;
  for (int slot = 0; slot < 2; ++slot) {  // warm-up, discarded
    timed(slice, static_cast<Arm>(first ^ slot), iterations);
  }
  for (int pair = 0; pair < pairs; ++pair) {
    for (int slot = 0; slot < 2; ++slot) {
      const int arm = first ^ slot ^ (pair & 1);
      const double took = timed(slice, static_cast<Arm>(arm), iterations);
      if (took <= 0) {
        throw Error(Exit::kInvalid, "alternate: a slice of " + std::to_string(iterations) +
                                        " calls took no time; give a longer slice_s");
      }
      seconds[static_cast<std::size_t>(arm)].push_back(took);
    }
    ratios.push_back(std::log(seconds[1].back() / seconds[0].back()));
  }
  return {stats::median(ratios), {stats::median(seconds[0]), stats::median(seconds[1])}};
}

std::uint64_t draw_coins() {
  std::random_device entropy;
  return (static_cast<std::uint64_t>(entropy()) << 32U) | entropy();
}

double p_slower(const std::vector<double>& d, double tau) {
  stats::Matrix x(d.size(), 1);
  for (std::size_t r = 0; r < d.size(); ++r) {
    x(r, 0) = d[r] - tau;
  }
  return stats::max_t(x).p_adjusted.front();
}

Verdict conclude(const Alternated& result) {
  if (result.p <= result.alpha) {
    return Verdict::kRegression;
  }
  if (std::log1p(result.hi) < -std::log1p(result.tolerance)) {
    return Verdict::kImprovement;
  }
  return result.hi < result.tolerance ? Verdict::kNoRegression : Verdict::kInconclusive;
}

}  // namespace

Alternated alternate(const SliceFunction& slice, double tolerance,
                     const AlternatingOptions& options) {
  validate(tolerance, options);
  Alternated result;
  result.tolerance = tolerance;
  result.alpha = options.alpha;
  result.rounds = options.rounds;
  result.coins = options.coins ? *options.coins : draw_coins();
  result.iterations = calibrate(slice, options.slice_s);

  std::vector<double> d;
  std::array<std::vector<double>, 2> per_call;
  for (int r = 0; r < options.rounds; ++r) {
    const int first = static_cast<int>((result.coins >> static_cast<unsigned>(r)) & 1U);
    const Round round = measure_round(slice, result.iterations, options.pairs, first);
    d.push_back(round.statistic);
    for (std::size_t arm = 0; arm < 2; ++arm) {
      per_call[arm].push_back(round.seconds[arm] / static_cast<double>(result.iterations));
    }
  }

  const stats::Interval interval = stats::signed_rank_interval(d, kTwoSided95);
  result.estimate = std::expm1(stats::hodges_lehmann(d));
  result.lo = std::expm1(interval.lo);
  result.hi = std::expm1(interval.hi);
  result.p = p_slower(d, std::log1p(tolerance));
  result.baseline_s = stats::median(per_call[0]);
  result.candidate_s = stats::median(per_call[1]);
  result.verdict = conclude(result);
  return result;
}

std::string describe(const Alternated& result) {
  char text[512];
  std::snprintf(
      text, sizeof text,
      "%s\n  candidate/baseline time %+.2f %%, CI95 [%+.2f %%, %+.2f %%], tolerance %+.2f %%\n"
      "  p %.2g that the slowdown is within the tolerance (alpha %.2g), %d rounds in one process\n"
      "  %.4g s -> %.4g s per call, %lld calls per slice, coins %016llx",
      std::string(to_string(result.verdict)).c_str(), result.estimate * 100, result.lo * 100,
      result.hi * 100, result.tolerance * 100, result.p, result.alpha, result.rounds,
      result.baseline_s, result.candidate_s, static_cast<long long>(result.iterations),
      static_cast<unsigned long long>(result.coins));
  return text;
}

}  // namespace perfgate::testing
