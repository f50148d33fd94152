// SPDX-License-Identifier: Apache-2.0
// step_bucket.h: up to which length a step of a device is shaped, so that one captured step serves
// many lengths.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace engine {

// A prompt of 32 and 128 tokens after it stay in one bucket, and so does the order of their sums.
inline constexpr std::int64_t kLeastBucket = 256;

// The least power of two, from 256 on, that holds `length` >= 1. Steps are keyed by it, and grids
// of attention are shaped for it (for the cache's capacity where that is less), captured or not:
// the same bits either way.
constexpr std::int64_t StepBucket(std::int64_t length) {
  return std::max(kLeastBucket,
                  static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length))));
}

}  // namespace engine
