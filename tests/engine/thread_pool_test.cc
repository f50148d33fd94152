// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

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

// Pauses longer than workers look for a loop, and more threads than CPUs, which never look.
TEST(ThreadPool, SleepingWorkersComeBack) {
  for (const int threads : {2, AvailableCpus() + 3}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> waiting{2};
      // Two tasks that wait for each other need two threads.
      pool.For(2, [&](std::int64_t) {
        --waiting;
        while (waiting > 0) {
          std::this_thread::yield();
        }
      });
      EXPECT_EQ(waiting, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(round % 2));
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
