// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/search_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace perfgate::measure {
namespace {

struct Search {
  std::int64_t reported = 0;
  std::int64_t earlier = 0;
};

// What the library does: benchmark_runner.cc of releases 1.5 to 1.9.
Search RunByTime(double time_per_iteration_s, double least_s) {
  Search search;
  std::int64_t iterations = 1;
  for (;;) {
    const double took_s = time_per_iteration_s * static_cast<double>(iterations);
    if (took_s >= least_s) {
      search.reported = iterations;
      return search;
    }
    search.earlier += iterations;
    double factor = 1.4 * least_s / std::max(took_s, 1e-9);
    if (took_s / least_s <= 0.1) factor = std::min(10.0, factor);
    const auto next =
        static_cast<std::int64_t>(std::lround(factor * static_cast<double>(iterations)));
    iterations = std::max(next, iterations + 1);
  }
}

TEST(SearchTime, FollowsFromTheReportedIterations) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const double time_s = std::pow(10.0, std::uniform_real_distribution<double>(-8, -1)(random));
    const Search search = RunByTime(time_s, 0.01);
    // 14, 140, ...: an earlier run took a tenth of the time, or all but all of it.
    if (search.reported == 14 || search.reported == 140 || search.reported == 1400) continue;
    EXPECT_NEAR(static_cast<double>(SearchIterations(search.reported)),
                static_cast<double>(search.earlier), 0.01 * static_cast<double>(search.reported))
        << search.reported << " iterations of " << time_s << " s";
  }
}

TEST(SearchTime, CountsTheSecondsOfOneThread) {
  BenchmarkRow row;
  row.iterations = 2800;
  row.real_s = 1e-6;
  EXPECT_DOUBLE_EQ(IterationsOfRow(row, ""), 2800);
  EXPECT_DOUBLE_EQ(SearchS(row, "", 0.002), 1e-6 * 1111);
  row.threads = 4;  // 700 of each thread
  EXPECT_DOUBLE_EQ(IterationsOfRow(row, ""), 2800);
  EXPECT_DOUBLE_EQ(IterationsOfRow(row, "1.8.3"), 2800);
  EXPECT_DOUBLE_EQ(IterationsOfRow(row, "v1.9.1"), 700);
  EXPECT_DOUBLE_EQ(SearchS(row, "1.9.1", 0.0005), 1e-6 * 111);
}

TEST(SearchTime, IsNoMoreThanASearchMakes) {
  BenchmarkRow row;
  row.real_s = row.cpu_s = 2e-6;
  row.iterations = 14000;  // 79 % of it earlier, had the library got there
  EXPECT_LT(SearchS(row, "", 0.01), 0.2 * row.real_s * 14000);
  EXPECT_FALSE(IsTooShort(row, "", 0.01));
  row.iterations = 60;
  EXPECT_TRUE(IsTooShort(row, "", 0.01));
  row.cpu_s = 1e-3;  // by which the library went
  EXPECT_FALSE(IsTooShort(row, "", 0.01));
}

}  // namespace
}  // namespace perfgate::measure
