// SPDX-License-Identifier: Apache-2.0
// No test here reads a clock: slices report what a simulated machine would have taken.
#include "perfgate/gtest/alternating.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/gtest/matchers.h"

namespace {

using perfgate::Error;
using perfgate::Exit;
using perfgate::Verdict;
using perfgate::testing::alternate;
using perfgate::testing::Alternated;
using perfgate::testing::AlternatingOptions;
using perfgate::testing::Arm;

// A machine with heavy-tailed noise per slice and a slow level that each slice shares.
class Machine {
 public:
  Machine(double baseline_s, double candidate_s, double noise, unsigned seed)
      : cost_({baseline_s, candidate_s}), noise_(noise), random_(seed) {}

  double operator()(Arm arm, std::int64_t iterations) {
    std::student_t_distribution<double> shock(3);
    level_ += 0.01 * noise_ * shock(random_);
    const double seconds = cost_[static_cast<std::size_t>(arm)] * static_cast<double>(iterations) *
                           std::exp(level_ + noise_ * shock(random_));
    calls_.push_back({arm, iterations, seconds});
    return seconds;
  }

  struct Call {
    Arm arm;
    std::int64_t iterations;
    double seconds;
  };
  const std::vector<Call>& calls() const { return calls_; }

 private:
  std::array<double, 2> cost_;
  double noise_;
  double level_ = 0;
  std::mt19937_64 random_;
  std::vector<Call> calls_;
};

Alternated run(Machine& machine, double tolerance, const AlternatingOptions& options) {
  return alternate([&](Arm arm, std::int64_t n) { return machine(arm, n); }, tolerance, options);
}

Exit thrown_exit(double tolerance, const AlternatingOptions& options) {
  try {
    alternate([](Arm, std::int64_t n) { return 1e-3 * static_cast<double>(n); }, tolerance,
              options);
  } catch (const Error& error) {
    return error.exit();
  }
  return Exit::kPass;
}

// How often the test fails, of `repeats`, when the candidate's true slowdown is `slowdown`.
int regressions(int repeats, double slowdown, double tolerance, double alpha) {
  std::mt19937_64 coins(7);
  int count = 0;
  for (int i = 0; i < repeats; ++i) {
    Machine machine(1e-6, 1e-6 * (1 + slowdown), 0.03, 100 + static_cast<unsigned>(i));
    AlternatingOptions options;
    options.alpha = alpha;
    options.coins = coins();
    count += run(machine, tolerance, options).verdict == Verdict::kRegression ? 1 : 0;
  }
  return count;
}

TEST(Alternate, EqualArmsDoNotFail) { EXPECT_EQ(regressions(200, 0, 0.10, 0.01), 0); }

// At a slowdown equal to the tolerance the level is exact: both a test that fails too often and one
// that hardly ever fails are wrong. Bounds are four binomial standard deviations.
TEST(Alternate, LevelIsAlphaAtTheTolerance) {
  EXPECT_LE(regressions(600, 0.10, 0.10, 0.01), 16);
  const int at_twenty = regressions(600, 0.10, 0.10, 0.20);
  EXPECT_GE(at_twenty, 81);
  EXPECT_LE(at_twenty, 159);
}

TEST(Alternate, TwiceTheTimeAlwaysFails) { EXPECT_EQ(regressions(50, 1.0, 0.10, 0.01), 50); }

TEST(Alternate, VerdictsByEffect) {
  const auto verdict = [](double slowdown, double noise) {
    Machine machine(1e-6, 1e-6 * (1 + slowdown), noise, 3);
    AlternatingOptions options;
    options.coins = 0x2a5;
    return run(machine, 0.10, options).verdict;
  };
  EXPECT_EQ(verdict(0.5, 0.01), Verdict::kRegression);
  EXPECT_EQ(verdict(0.0, 0.01), Verdict::kNoRegression);
  EXPECT_EQ(verdict(-0.5, 0.01), Verdict::kImprovement);
  EXPECT_EQ(verdict(0.0, 2.0), Verdict::kInconclusive);
}

TEST(Alternate, OrderIsBalancedAndFollowsTheCoins) {
  Machine machine(1e-6, 1e-6, 0, 1);
  AlternatingOptions options;
  options.rounds = 10;
  options.pairs = 4;
  options.coins = 0b10'1100'0111;
  const Alternated result = run(machine, 0.10, options);
  EXPECT_EQ(result.coins, *options.coins);

  const std::size_t per_round = 2 + 2 * 4;
  const std::size_t calibration = machine.calls().size() - 10 * per_round;
  for (std::size_t i = 0; i < calibration; ++i) {
    EXPECT_EQ(machine.calls()[i].arm, Arm::kBaseline);
  }
  for (std::size_t r = 0; r < 10; ++r) {
    const int first = static_cast<int>((*options.coins >> r) & 1U);
    const std::array<int, 10> expected = {first, 1 - first, first,     1 - first, 1 - first,
                                          first, first,     1 - first, 1 - first, first};
    for (std::size_t i = 0; i < per_round; ++i) {
      const auto& call = machine.calls()[calibration + r * per_round + i];
      EXPECT_EQ(static_cast<int>(call.arm), expected[i]) << "round " << r << " slice " << i;
      EXPECT_EQ(call.iterations, result.iterations);
    }
  }
}

// Recomputes everything from the slices, by definition and by brute force.
TEST(Alternate, AgreesWithBruteForce) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Machine machine(1e-6, 1.12e-6, 0.05, seed);
    AlternatingOptions options;
    options.coins = seed * 0x9e3779b97f4a7c15U;
    const double tolerance = 0.10;
    const Alternated result = run(machine, tolerance, options);

    std::vector<double> d;
    const auto& calls = machine.calls();
    for (std::size_t at = calls.size() - 100; at < calls.size(); at += 10) {
      std::vector<double> ratios;
      for (std::size_t i = at + 2; i < at + 10; i += 2) {
        const bool swapped = calls[i].arm == Arm::kCandidate;
        const double ratio = std::log(calls[i + 1].seconds / calls[i].seconds);
        ratios.push_back(swapped ? -ratio : ratio);
      }
      std::sort(ratios.begin(), ratios.end());
      d.push_back((ratios[1] + ratios[2]) / 2);
    }
    ASSERT_EQ(d.size(), 10U);

    std::vector<double> walsh;
    for (std::size_t i = 0; i < 10; ++i) {
      for (std::size_t j = i; j < 10; ++j) {
        walsh.push_back((d[i] + d[j]) / 2);
      }
    }
    std::sort(walsh.begin(), walsh.end());
    EXPECT_NEAR(result.estimate, std::expm1(walsh[27]), 1e-12);
    EXPECT_NEAR(result.lo, std::expm1(walsh[8]), 1e-12);  // k(10, .025) = 8
    EXPECT_NEAR(result.hi, std::expm1(walsh[55 - 1 - 8]), 1e-12);

    std::vector<double> x;
    std::vector<double> magnitude;
    for (const double value : d) {
      x.push_back(value - std::log(1.10));
      magnitude.push_back(std::abs(x.back()));
    }
    std::sort(magnitude.begin(), magnitude.end());
    const double clip = magnitude[4] + magnitude[5];  // twice the median
    double observed = 0;
    for (double& value : x) {
      value = std::clamp(value, -clip, clip);
      observed += value;
    }
    int reached = 0;
    for (unsigned mask = 0; mask < 1024; ++mask) {
      double sum = 0;
      for (std::size_t r = 0; r < 10; ++r) {
        sum += ((mask >> r) & 1U) != 0 ? -x[r] : x[r];
      }
      reached += sum >= observed - 1e-12 ? 1 : 0;
    }
    EXPECT_NEAR(result.p, reached / 1024.0, 1e-12) << "seed " << seed;
  }
}

TEST(Alternate, SwappedArmsWithSwappedCoinsMirrorTheEffect) {
  const std::uint64_t coins = 0x1b3;
  AlternatingOptions options;
  options.coins = coins;
  Machine machine(1e-6, 1.3e-6, 0, 1);
  const Alternated ahead = run(machine, 0.10, options);
  Machine mirrored(1.3e-6, 1e-6, 0, 1);
  options.coins = ~coins;
  const Alternated back = run(mirrored, 0.10, options);
  EXPECT_NEAR(std::log1p(ahead.estimate), -std::log1p(back.estimate), 1e-12);
  EXPECT_EQ(ahead.verdict, Verdict::kRegression);
  EXPECT_EQ(back.verdict, Verdict::kImprovement);
}

// Whatever going first is worth, a balanced order takes it out of the estimate.
TEST(Alternate, GoingFirstIsWorthNothing) {
  AlternatingOptions options;
  options.coins = 0;  // the baseline always first: the worst case
  int slot = 0;
  const Alternated result = alternate(
      [&](Arm, std::int64_t n) {
        return 1e-6 * static_cast<double>(n) * ((slot++ % 2) == 0 ? 1.0 : 1.3);
      },
      0.10, options);
  EXPECT_NEAR(result.estimate, 0, 1e-9);
}

TEST(Alternate, CalibratesTheBaselineToASlice) {
  for (const double cost : {1e-9, 3e-7, 1e-3, 0.5}) {
    Machine machine(cost, cost, 0, 1);
    const Alternated result = run(machine, 0.10, {});
    const double slice = cost * static_cast<double>(result.iterations);
    EXPECT_GE(slice, 0.9 * 0.002);
    EXPECT_LE(slice, std::max(0.002 * 1.2, cost));
    EXPECT_NEAR(result.baseline_s, cost, 1e-9 * cost);
  }
}

TEST(Alternate, DrawsFreshCoins) {
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < 8; ++i) {
    Machine machine(1e-3, 1e-3, 0, 1);
    seen.push_back(run(machine, 0.10, {}).coins);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Alternate, RefusesOptionsOutOfRange) {
  EXPECT_EQ(thrown_exit(0.10, {}), Exit::kPass);
  EXPECT_EQ(thrown_exit(-0.01, {}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(std::nan(""), {}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(0.10, {.rounds = 5}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(0.10, {.rounds = 6}), Exit::kUsage);  // 2^-6 is above alpha
  EXPECT_EQ(thrown_exit(0.10, {.rounds = 65}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(0.10, {.slice_s = 0}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(0.10, {.pairs = 3}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(0.10, {.pairs = 0}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(0.10, {.alpha = 0}), Exit::kUsage);
  EXPECT_EQ(thrown_exit(0.10, {.alpha = 1}), Exit::kUsage);
}

TEST(Alternate, RefusesClocksThatLie) {
  const auto with_seconds = [](double seconds) {
    return alternate([seconds](Arm, std::int64_t) { return seconds; }, 0.10);
  };
  EXPECT_THROW(with_seconds(0), Error);  // stands still
  EXPECT_THROW(with_seconds(-1), Error);
  EXPECT_THROW(with_seconds(std::nan("")), Error);
  EXPECT_THROW(with_seconds(HUGE_VAL), Error);
  int calls = 0;  // stops after calibration
  EXPECT_THROW(alternate([&](Arm, std::int64_t) { return calls++ < 5 ? 1.0 : 0.0; }, 0.10), Error);
}

TEST(Describe, HasEverythingThatDecided) {
  Machine machine(1e-6, 2e-6, 0, 1);
  AlternatingOptions options;
  options.coins = 0x1b3;
  EXPECT_THAT(describe(run(machine, 0.10, options)),
              ::testing::AllOf(::testing::HasSubstr("regression"),
                               ::testing::HasSubstr("+100.00 %, CI95 [+100.00 %, +100.00 %]"),
                               ::testing::HasSubstr("tolerance +10.00 %"),
                               ::testing::HasSubstr("p 0.00098"), ::testing::HasSubstr("10 rounds"),
                               ::testing::HasSubstr("coins 00000000000001b3")));
}

}  // namespace
