// SPDX-License-Identifier: Apache-2.0
// shared_samples.h: the memory that a preloaded sampler and perfgate share, as descriptor kGivenFd.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace perfgate::code {

struct SharedSamples {
  static constexpr std::uint64_t kMark = 0x3153454c504d4153;  // "SAMPLES1"
  static constexpr std::size_t kMost = 65536;

  std::uint64_t mark = kMark;
  std::atomic<std::uint64_t> loaded{0};  // 1: the library is in the program
  std::atomic<std::uint64_t> count{0};   // more than kMost: the rest is lost
  std::uint64_t addresses[kMost];        // NOLINT(modernize-avoid-c-arrays): a layout in memory
};

}  // namespace perfgate::code
