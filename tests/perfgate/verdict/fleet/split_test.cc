// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/fleet/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "perfgate/base/error.h"

namespace perfgate {
namespace {

std::vector<FleetCase> CasesOf(const std::vector<double>& seconds) {
  std::vector<FleetCase> cases;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    cases.push_back({"case" + std::to_string(i), 0, seconds[i]});
  }
  return cases;
}

std::map<int, double> Loads(const std::vector<FleetCase>& cases) {
  std::map<int, double> loads;
  for (const FleetCase& one : cases) loads[one.job] += one.round_s;
  return loads;
}

TEST(SplitCases, EqualCasesMakeEqualJobs) {
  std::vector<FleetCase> cases = CasesOf(std::vector<double>(200, 0.0));
  SplitCases(4, cases);
  std::map<int, int> counts;
  for (const FleetCase& one : cases) ++counts[one.job];
  EXPECT_THAT(counts, testing::ElementsAre(testing::Pair(1, 50), testing::Pair(2, 50),
                                           testing::Pair(3, 50), testing::Pair(4, 50)));
}

// Graham's bound, against the best that any split could do: the mean, or the longest case.
TEST(SplitCases, IsNeverWorseThanFourThirdsOfTheBest) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> seconds(0, 1.5);
  for (int trial = 0; trial < 200; ++trial) {
    const int jobs = 1 + trial % 9;
    std::vector<double> all(static_cast<std::size_t>(jobs + trial % 40));
    for (double& one : all) one = seconds(random);
    std::vector<FleetCase> cases = CasesOf(all);
    SplitCases(jobs, cases);
    const std::map<int, double> loads = Loads(cases);
    ASSERT_EQ(loads.size(), static_cast<std::size_t>(jobs));
    double slowest = 0;
    for (const auto& [job, load] : loads) slowest = std::max(slowest, load);
    std::sort(all.rbegin(), all.rend());
    double best = std::max(std::accumulate(all.begin(), all.end(), 0.0) / jobs, all.front());
    // Two of the jobs + 1 longest share a job.
    if (std::cmp_greater(all.size(), jobs)) {
      const auto last = static_cast<std::size_t>(jobs);
      best = std::max(best, all[last - 1] + all[last]);
    }
    EXPECT_LE(slowest, best * (4.0 / 3 - 1.0 / (3 * jobs)) + 1e-9);
  }
}

TEST(SplitCases, UnknownCasesCountAsTheMean) {
  std::vector<FleetCase> cases = CasesOf({4, 0, 2, 3});
  SplitCases(2, cases);
  EXPECT_EQ(cases[1].round_s, 0) << "a prediction is not made up";
  EXPECT_EQ(cases[0].job, 1);
  EXPECT_EQ(cases[1].job, 2);  // 4 | 3, 3 | 2
  EXPECT_EQ(cases[3].job, 2);
  EXPECT_EQ(cases[2].job, 1);
}

TEST(SplitCases, RefusesJobsWithoutCases) {
  std::vector<FleetCase> cases = CasesOf({1, 1});
  for (const int jobs : {-1, 0, 3}) {
    EXPECT_THROW(SplitCases(jobs, cases), Error) << jobs;
  }
}

TEST(LooksOfFleet, AreThoseOfOneGate) {
  Policy policy;
  policy.rounds = 24;
  double alpha = 0;
  std::vector<int> rounds;
  for (const stats::Look& look : LooksOfFleet(policy)) {
    rounds.push_back(look.rounds);
    alpha += look.alpha;
  }
  EXPECT_THAT(rounds, testing::ElementsAre(6, 10, 16, 24));
  EXPECT_NEAR(alpha, policy.alpha, 1e-12);
  policy.rounds = 5;
  EXPECT_THROW(LooksOfFleet(policy), Error);
}

}  // namespace
}  // namespace perfgate
