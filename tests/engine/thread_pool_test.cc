// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace engine {
namespace {

TEST(ThreadPool, EachTaskRunsOnce) {
  for (const int threads : {1, 2, 3}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<int> runs(static_cast<std::size_t>(round), 0);
      pool.For(round, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
      ASSERT_THAT(runs, ::testing::Each(1)) << threads << " threads, round " << round;
    }
  }
}

TEST(ThreadPool, AnExceptionComesOutAndThePoolGoesOn) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.For(10,
                        [](std::int64_t i) {
                          if (i == 3) {
                            throw std::runtime_error("three");
                          }
                        }),
               std::runtime_error);
  std::atomic<int> runs{0};
  pool.For(5, [&](std::int64_t) { ++runs; });
  EXPECT_EQ(runs, 5);
}

TEST(ThreadPool, CountsCpus) { EXPECT_GE(AvailableCpus(), 1); }

}  // namespace
}  // namespace engine
