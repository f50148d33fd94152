// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace perfgate::stats {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnce) {
  for (const std::size_t threads : {0U, 1U, 2U, 7U, 64U}) {
    for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
      std::vector<std::atomic<int>> visits(count);
      parallel_for(count, threads, [&](std::size_t i) { ++visits[i]; });
      for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    }
  }
}

TEST(ParallelFor, RethrowsAndStopsHandingOut) {
  for (const std::size_t threads : {1U, 4U}) {
    std::atomic<int> visits{0};
    EXPECT_THROW(parallel_for(1000000, threads,
                              [&](std::size_t i) {
                                ++visits;
                                if (i == 10) throw std::runtime_error("ten");
                              }),
                 std::runtime_error);
    EXPECT_LT(visits, 1000000);
  }
}

TEST(ThreadCount, IsAtLeastOne) {
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(5), 5U);
}

}  // namespace
}  // namespace perfgate::stats
