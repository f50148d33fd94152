// SPDX-License-Identifier: Apache-2.0
// shared_samples.h: the memory that a preloaded sampler and perfgate share, as descriptor kGivenFd.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "perfgate/code/sampling/raw_sample.h"

namespace perfgate::code {

struct SampleSlot {
  std::atomic<std::uint64_t> turn{0};  // 1 + the number of the sample that is written in full
  std::uint64_t address;               // this and the rest as in RawSample
  std::uint64_t link;
  std::uint64_t stack_at;
  std::uint64_t stack_bytes;
  char stack[kStackBytes];  // NOLINT(modernize-avoid-c-arrays): a layout in memory
};

// A ring: sample n is in slot n % kSlots. The program begins slots, perfgate takes them.
struct SharedSamples {
  static constexpr std::uint64_t kMark = 0x3253454c504d4153;  // "SAMPLES2"
  static constexpr std::size_t kSlots = 1024;                 // a second of samples

  std::uint64_t mark = kMark;
  std::atomic<std::uint64_t> loaded{0};  // 1: the library is in the program
  std::atomic<std::uint64_t> begun{0};
  std::atomic<std::uint64_t> taken{0};  // the program loses what would be kSlots ahead
  SampleSlot slots[kSlots];             // NOLINT(modernize-avoid-c-arrays): a layout in memory
};

}  // namespace perfgate::code
