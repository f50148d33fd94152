// SPDX-License-Identifier: Apache-2.0
// random_words.h: random content of buffers as a function of a seed and a position, and
// fingerprints.
//
// A word depends on nothing but the seed and its index, so that a GPU can write or hash a buffer in
// any order and the host can say what must be there. The mixing is SplitMix64's (Steele, Lea and
// Flood, 2014); nobody who does not know the seed can guess it, and nobody is assumed to attack it.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define PERFGATE_HOST_DEVICE __host__ __device__
#else
#define PERFGATE_HOST_DEVICE
#endif

namespace perfgate::bench {

// What random content of a buffer looks like.
enum class Content {
  kKeep,   // not touched: indices, tables, anything with a meaning of its own
  kBytes,  // any bytes
  kF32,    // uniform in (-1, 1), never 0
  kBf16,   // the same, truncated to bf16
  kF16,    // random sign, 1/16 <= |x| < 1
};

PERFGATE_HOST_DEVICE constexpr std::uint64_t Mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

PERFGATE_HOST_DEVICE constexpr std::uint64_t RandomWord(std::uint64_t seed, std::uint64_t index) {
  return Mix(seed + (index + 1) * 0x9E3779B97F4A7C15U);
}

// Of region `index` among those that are filled at once.
PERFGATE_HOST_DEVICE constexpr std::uint64_t RegionSeed(std::uint64_t seed, std::uint64_t index) {
  return Mix(seed ^ (index * 0xD1B54A32D192ED03U));
}

// What word `index` of 8 bytes adds to the fingerprint of a buffer, which is the sum modulo 2^64.
PERFGATE_HOST_DEVICE constexpr std::uint64_t WordPrint(std::uint64_t seed, std::uint64_t index,
                                                       std::uint64_t word) {
  return Mix(RandomWord(seed, index) ^ word);
}

// Words of a buffer, the last one possibly cut.
PERFGATE_HOST_DEVICE constexpr std::uint64_t WordsOf(std::uint64_t bytes) {
  return (bytes + 7) / 8;
}

// Bits of the i-th element of random content.
PERFGATE_HOST_DEVICE inline std::uint32_t RandomF32(std::uint64_t seed, std::uint64_t i) {
  // 23 random bits as a mantissa give [1, 2); times 2 minus 3 is [-1, 1) in steps of 2^-22, moved
  // off 0 by half a step.
  const auto bits = static_cast<std::uint32_t>(RandomWord(seed, i) >> 41);
  const float value = (static_cast<float>(bits) - 4194304.0F + 0.5F) * (1.0F / 4194304.0F);
  union {
    float f;
    std::uint32_t u;
  } view;
  view.f = value;
  return view.u;
}

PERFGATE_HOST_DEVICE inline std::uint16_t RandomBf16(std::uint64_t seed, std::uint64_t i) {
  return static_cast<std::uint16_t>(RandomF32(seed, i) >> 16);
}

PERFGATE_HOST_DEVICE constexpr std::uint16_t RandomF16(std::uint64_t seed, std::uint64_t i) {
  // Four exponents times 1,024 mantissas from 2^-4 on, and a sign.
  const std::uint64_t word = RandomWord(seed, i);
  return static_cast<std::uint16_t>(((word >> 63) << 15) | (0x2C00U + ((word >> 32) & 0xFFFU)));
}

}  // namespace perfgate::bench
