// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gtest/not_slower.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "perfgate/gtest/gtest.h"

namespace {

using perfgate::testing::AlternatingOptions;

// A clock that only the callables move.
struct FakeTime {
  double now = 0;
  std::mt19937_64 random{5};

  auto work(double seconds) {
    return [this, seconds] {
      now += seconds * std::exp(std::normal_distribution<double>(0, 0.05)(random));
    };
  }
  auto clock() {
    return [this] { return now; };
  }
};

std::string property(const char* name) {
  const auto* result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int i = 0; i < result->test_property_count(); ++i) {
    if (std::string(result->GetTestProperty(i).key()) == name) {
      return result->GetTestProperty(i).value();
    }
  }
  return "absent";
}

TEST(NotSlower, EqualCallablesNeverFail) {
  FakeTime time;
  for (std::uint64_t repeat = 0; repeat < 20; ++repeat) {
    AlternatingOptions options;
    options.coins = repeat * 0x9e3779b97f4a7c15U;
    PERFGATE_EXPECT_NOT_SLOWER(time.work(1e-4), time.work(1e-4), 0.10, options, time.clock());
  }
  EXPECT_EQ(property("perfgate_verdict"), "no_regression");
}

TEST(NotSlower, SlowerOnTheFakeClockFailsWithTheIntervalInItsMessage) {
  FakeTime time;
  auto before = time.work(1e-4);
  auto now = time.work(2e-4);
  AlternatingOptions options;
  options.coins = 0x2a5;
  EXPECT_NONFATAL_FAILURE(PERFGATE_EXPECT_NOT_SLOWER(before, now, 0.10, options, time.clock()),
                          "CI95 [+9");
  EXPECT_NONFATAL_FAILURE(PERFGATE_EXPECT_NOT_SLOWER(before, now, 0.10, options, time.clock()),
                          "now (candidate) against before (baseline): regression");
  EXPECT_EQ(property("perfgate_verdict"), "regression");
  EXPECT_NEAR(std::stod(property("perfgate_effect")), 1.0, 0.05);
}

TEST(NotSlower, FasterPassesAndIsRecorded) {
  FakeTime time;
  AlternatingOptions options;
  options.coins = 0x2a5;
  PERFGATE_ASSERT_NOT_SLOWER(time.work(2e-4), time.work(1e-4), 0.10, options, time.clock());
  EXPECT_EQ(property("perfgate_verdict"), "improvement");
}

// Dependent multiplications: no compiler shortens the chain and no core overlaps it.
std::uint64_t chain(int length) {
  std::uint64_t value = 88172645463325252U;
  for (int i = 0; i < length; ++i) {
    value = value * 6364136223846793005U + static_cast<std::uint64_t>(i);
  }
  return value;
}

int chain_length = 4000;
std::uint64_t once() { return chain(chain_length); }
std::uint64_t twice() { return chain(2 * chain_length); }
void assert_twice() {
  PERFGATE_ASSERT_NOT_SLOWER(once, twice, 0.10, {.rounds = 16});
  ADD_FAILURE() << "goes on after a fatal failure";
}

TEST(NotSlower, RealWorkTwiceAsSlowFails) {
  EXPECT_NONFATAL_FAILURE(PERFGATE_EXPECT_NOT_SLOWER(once, twice, 0.10, {.rounds = 16}),
                          "regression");
}

TEST(NotSlower, AssertStopsTheTest) {
  EXPECT_FATAL_FAILURE(assert_twice(), "twice (candidate) against once (baseline): regression");
}

TEST(NotSlower, RealWorkHalfAsLongPasses) { PERFGATE_EXPECT_NOT_SLOWER(twice, once, 0.10); }

TEST(NotSlower, EveryCallIsMadeThoughNothingReadsItsResult) {
  std::int64_t calls = 0;
  auto counted = [&calls] { return ++calls; };
  perfgate::testing::run_times(counted, 1000);
  EXPECT_EQ(calls, 1000);
  auto silent = [&calls] { ++calls; };
  perfgate::testing::run_times(silent, 1000);
  EXPECT_EQ(calls, 2000);
}

}  // namespace
