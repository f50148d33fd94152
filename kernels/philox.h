// SPDX-License-Identifier: Apache-2.0
// philox.h: random numbers as a function of a key and a counter: Philox4x32-10 of Salmon, Moraes,
// Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011)
//
// No state: any number can be had alone, on any device, and is the same everywhere.
#pragma once

#include <cstdint>

#include "kernels/host_device.h"

namespace kernels {

struct PhiloxCounter {
  std::uint32_t word[4];
};
struct PhiloxKey {
  std::uint32_t word[2];
};

KERNELS_HOST_DEVICE constexpr PhiloxCounter Philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53U} * counter.word[0];
    const std::uint64_t b = std::uint64_t{0xcd9e8d57U} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.word[1] ^ key.word[0],
                static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32) ^ counter.word[3] ^ key.word[1],
                static_cast<std::uint32_t>(a)}};
    key.word[0] += 0x9e3779b9U;
    key.word[1] += 0xbb67ae85U;
  }
  return counter;
}

// 53 random bits as a multiple of 2^-53 in [0, 1) for one row of one step.
KERNELS_HOST_DEVICE constexpr double PhiloxUniform(std::uint64_t seed, std::uint64_t step,
                                                   std::uint64_t row) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
  const PhiloxCounter bits =
      Philox({{low(step), high(step), low(row), high(row)}}, {{low(seed), high(seed)}});
  const std::uint64_t all = (std::uint64_t{bits.word[1]} << 32) | bits.word[0];
  return static_cast<double>(all >> 11) * 0x1p-53;
}

}  // namespace kernels
