// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/sign_flips.h"

#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {

std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t t = seed + (index + 1) * 0x9E3779B97F4A7C15U;
  t = (t ^ (t >> 30U)) * 0xBF58476D1CE4E5B9U;
  t = (t ^ (t >> 27U)) * 0x94D049BB133111EBU;
  return t ^ (t >> 31U);
}

std::size_t bounded(std::uint64_t random, std::size_t bound) {
  return static_cast<std::size_t>(((random >> 32U) * static_cast<std::uint64_t>(bound)) >> 32U);
}

SignFlips sign_flips(int rounds, std::uint64_t seed, std::size_t flips) {
  require(rounds >= 1, "sign_flips: needs at least one round");
  require(rounds <= kMostRounds, "sign_flips: more than 100,000 rounds");
  require(flips >= 1, "sign_flips: needs at least one flip");
  SignFlips result;
  result.rounds = rounds;
  result.exact = rounds <= kMaxEnumeratedRounds;
  if (result.exact) {
    result.count = std::size_t{1} << static_cast<unsigned>(rounds);
    result.words_per_flip = 1;
    result.words.resize(result.count);
    for (std::size_t mask = 0; mask < result.count; ++mask) {
      result.words[mask] = mask;
    }
    return result;
  }
  result.count = flips;
  result.words_per_flip = (static_cast<std::size_t>(rounds) + 63) / 64;
  result.words.assign(result.count * result.words_per_flip, 0);
  for (std::size_t i = result.words_per_flip; i < result.words.size(); ++i) {
    result.words[i] = splitmix64(seed, i);
  }
  return result;
}

}  // namespace perfgate::stats
