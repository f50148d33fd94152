// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/sign_flips.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

namespace perfgate::stats {
namespace {

TEST(SplitMix64, KnownAnswer) {
  EXPECT_EQ(splitmix64(1, 0), 0x910a2dec89025cc1U);
  EXPECT_EQ(splitmix64(1, 1), 0xbeeb8da1658eec67U);
  EXPECT_EQ(splitmix64(1, 2), 0xf893a2eefb32555eU);
  EXPECT_EQ(splitmix64(1, 3), 0x71c18690ee42c90bU);
}

// The same generator written with a running state, as it is published.
TEST(SplitMix64, CounterEqualsRunningState) {
  for (const std::uint64_t seed : {0U, 1U, 42U}) {
    std::uint64_t state = seed;
    for (std::uint64_t i = 0; i < 100; ++i) {
      state += 0x9e3779b97f4a7c15U;
      std::uint64_t z = state;
      z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
      z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
      EXPECT_EQ(splitmix64(seed, i), z ^ (z >> 31U));
    }
  }
}

TEST(Bounded, CoversItsRangeEvenly) {
  EXPECT_EQ(bounded(~std::uint64_t{0}, 7), 6U);
  EXPECT_EQ(bounded(0, 7), 0U);
  std::size_t counts[7] = {};
  for (std::uint64_t i = 0; i < 70000; ++i) {
    ++counts[bounded(splitmix64(3, i), 7)];
  }
  for (const std::size_t count : counts) {
    EXPECT_NEAR(static_cast<double>(count), 10000.0, 5.0 * std::sqrt(10000.0));
  }
}

TEST(SignFlips, EnumeratesEveryVectorOnceUpToFourteenRounds) {
  for (const int rounds : {1, 2, 6, 10, 14}) {
    const SignFlips flips = sign_flips(rounds);
    EXPECT_TRUE(flips.exact);
    EXPECT_EQ(flips.count, std::size_t{1} << static_cast<unsigned>(rounds));
    std::set<std::uint64_t> seen;
    for (std::size_t f = 0; f < flips.count; ++f) {
      std::uint64_t mask = 0;
      for (int r = 0; r < rounds; ++r) {
        mask |= static_cast<std::uint64_t>(flips.negated(f, r)) << static_cast<unsigned>(r);
      }
      EXPECT_EQ(mask, f);
      seen.insert(mask);
    }
    EXPECT_EQ(seen.size(), flips.count);
  }
}

TEST(SignFlips, DrawsAboveFourteenAndStartsWithTheIdentity) {
  for (const int rounds : {15, 40, 64, 65, 130}) {
    const SignFlips flips = sign_flips(rounds, 1, 500);
    EXPECT_FALSE(flips.exact);
    EXPECT_EQ(flips.count, 500U);
    const auto words = static_cast<std::size_t>((rounds + 63) / 64);
    EXPECT_EQ(flips.words_per_flip, words);
    for (int r = 0; r < rounds; ++r) {
      EXPECT_FALSE(flips.negated(0, r));
    }
    // Replacing flip 0 must not move the words of the others.
    for (std::size_t f = 1; f < flips.count; ++f) {
      for (int r = 0; r < rounds; ++r) {
        const auto bit = static_cast<std::size_t>(r);
        const std::uint64_t word = splitmix64(1, f * words + bit / 64);
        ASSERT_EQ(flips.negated(f, r), ((word >> (bit % 64)) & 1U) == 1U) << f << " " << r;
      }
    }
  }
}

TEST(SignFlips, DefaultsToTwentyThousandOfSeedOne) {
  const SignFlips flips = sign_flips(16);
  EXPECT_EQ(flips.count, 20000U);
  EXPECT_EQ(flips.words[1], splitmix64(1, 1));
}

TEST(SignFlips, RefusesNothingToFlip) {
  EXPECT_THROW(sign_flips(0), std::invalid_argument);
  EXPECT_THROW(sign_flips(-3), std::invalid_argument);
  EXPECT_THROW(sign_flips(20, 1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
