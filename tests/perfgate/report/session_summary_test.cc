// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/session_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::report {
namespace {

TEST(Median, OfEvenAndOddCounts) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_TRUE(std::isnan(median(std::vector<double>{})));
}

std::vector<double> first(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

// The tables of statistics books: 95 % order-statistic intervals for the median.
TEST(Spread, HasTheTabulatedOrderStatistics) {
  const struct {
    int n;
    double k;
    double confidence;
  } table[] = {{6, 1, 0.96875},      {8, 1, 0.9921875},    {9, 2, 0.9609375}, {10, 2, 0.978515625},
               {14, 3, 0.987060547}, {20, 6, 0.958610535}, {40, 14, 0.961522}};
  for (const auto& row : table) {
    const Spread s = spread(first(row.n));
    EXPECT_EQ(s.lo, row.k) << row.n;
    EXPECT_EQ(s.hi, row.n + 1 - row.k) << row.n;
    EXPECT_NEAR(s.confidence, row.confidence, 1e-6) << row.n;
    EXPECT_EQ(s.rounds, row.n);
  }
}

TEST(Spread, IsMinAndMaxBelowSixRounds) {
  for (int n = 2; n < 6; ++n) {
    const Spread s = spread(first(n));
    EXPECT_EQ(s.lo, 1);
    EXPECT_EQ(s.hi, n);
    EXPECT_NEAR(s.confidence, 1 - std::pow(2, 1 - n), 1e-12);
  }
  const Spread one = spread({7});
  EXPECT_EQ(one.lo, 7);
  EXPECT_EQ(one.confidence, 0);
  EXPECT_TRUE(std::isnan(spread({}).median));
}

// Coverage by simulation, against the exact number that is printed.
TEST(Spread, CoversTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(14);
  std::lognormal_distribution<double> skewed(0, 1);  // median 1
  for (const int n : {4, 11, 24}) {
    int covered = 0;
    double confidence = 0;
    constexpr int kTrials = 20000;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> values(static_cast<std::size_t>(n));
      for (double& value : values) value = skewed(random);
      const Spread s = spread(values);
      covered += s.lo <= 1 && 1 <= s.hi ? 1 : 0;
      confidence = s.confidence;
    }
    EXPECT_NEAR(covered / static_cast<double>(kTrials), confidence, 0.01) << n;
  }
}

TEST(RoundMedians, SkipAbsentSlicesAndRounds) {
  Session session = sample::full_session();
  session.rounds.push_back(session.rounds[0]);
  session.rounds[1].cases.clear();
  EXPECT_EQ(round_medians(session, 0, 0, 0), std::vector<double>{0.0001225});
  EXPECT_EQ(round_medians(session, 0, 0, 1), std::vector<double>{0.00013});
  session.rounds[0].cases[0].values[0][1] = {NAN, NAN};
  EXPECT_TRUE(round_medians(session, 0, 0, 1).empty());
}

}  // namespace
}  // namespace perfgate::report
