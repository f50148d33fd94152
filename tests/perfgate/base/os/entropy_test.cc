// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/entropy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace perfgate::measure {
namespace {

// Published first outputs of SplitMix64 for seed 1234567 (the generator's reference test vector).
TEST(Entropy, IsSplitMix64) {
  RandomStream stream(1234567);
  EXPECT_EQ(stream.next(), 6457827717110365317U);
  EXPECT_EQ(stream.next(), 3203168211198807973U);
  EXPECT_EQ(stream.next(), 9817491932198370423U);
}

TEST(Entropy, ASeedReplays) {
  RandomStream a(99), b(99);
  std::vector<int> x(20), y(20);
  std::iota(x.begin(), x.end(), 0);
  std::iota(y.begin(), y.end(), 0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(a.coin(), b.coin());
    EXPECT_EQ(a.below(17), b.below(17));
    a.shuffle(std::span(x));
    b.shuffle(std::span(y));
    EXPECT_EQ(x, y);
  }
}

TEST(Entropy, BelowIsUniformAndInRange) {
  constexpr int kDraws = 60000;
  for (const std::uint64_t n : {1U, 2U, 3U, 6U, 7U}) {
    RandomStream stream(n);
    std::vector<int> counts(n);
    for (int i = 0; i < kDraws; ++i) ++counts.at(stream.below(n));
    const double expected = static_cast<double>(kDraws) / static_cast<double>(n);
    for (const int count : counts) EXPECT_NEAR(count, expected, 6 * std::sqrt(expected));
  }
  RandomStream stream(1);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(stream.below(0x8000000000000001U), 0x8000000000000001U);
  }
  EXPECT_THROW(stream.below(0), std::logic_error);
}

TEST(Entropy, EveryOrderIsEquallyLikely) {
  std::map<std::array<int, 3>, int> counts;
  RandomStream stream(5);
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) {
    std::array<int, 3> items = {0, 1, 2};
    stream.shuffle(std::span<int>(items));
    ++counts[items];
  }
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, kDraws / 6.0, 600);
}

TEST(Entropy, SystemEntropyDiffers) { EXPECT_NE(system_entropy(), system_entropy()); }

}  // namespace
}  // namespace perfgate::measure
