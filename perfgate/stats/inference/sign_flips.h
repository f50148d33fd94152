// SPDX-License-Identifier: Apache-2.0
// sign_flips.h: the sign vectors of a sign-flip test, the same on every machine.
//
// Up to 14 rounds all 2^n sign vectors are enumerated. Above, a fixed number is drawn from a
// counter-based generator, and the first is replaced by the identity: a test that counts the
// observed data among its flips is valid at any number of flips (Phipson and Smyth, 2010).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfgate::stats {

// Output `index` (0-based) of SplitMix64 with this seed (Steele, Lea and Flood, 2014). The state is
// a plain counter, so any output can be had without the ones before it.
std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t index);

// Uniform integer in [0, bound) from 64 random bits. bound in [1, 2^32]; bias below bound / 2^32.
std::size_t bounded(std::uint64_t random, std::size_t bound);

// Two standardised sums that differ by rounding alone must tie.
inline constexpr double kTie = 1e-9;

inline constexpr int kMaxEnumeratedRounds = 14;
inline constexpr std::size_t kDefaultFlips = 20000;
// 20,000 flips of so many rounds are 250 MB. A gate has 40.
inline constexpr int kMostRounds = 100000;

// count sign vectors over `rounds` rounds. Round r of flip f is negated when bit r % 64 of
// words[f * words_per_flip + r / 64] is set. Bits at or above `rounds` carry no meaning.
// Flip 0 negates nothing.
struct SignFlips {
  int rounds = 0;
  std::size_t count = 0;
  std::size_t words_per_flip = 0;
  bool exact = false;  // true: every sign vector exactly once
  std::vector<std::uint64_t> words;

  bool negated(std::size_t flip, int round) const {
    const auto r = static_cast<std::size_t>(round);
    return ((words[flip * words_per_flip + r / 64] >> (r % 64)) & 1U) != 0;
  }
};

// All 2^rounds masks in counting order when rounds <= 14 (seed and flips are then unused), else
// `flips` vectors from `seed`. Throws std::invalid_argument for rounds < 1 or flips < 1.
SignFlips sign_flips(int rounds, std::uint64_t seed = 1, std::size_t flips = kDefaultFlips);

}  // namespace perfgate::stats
