// SPDX-License-Identifier: Apache-2.0
// device_work.h: the small kernels with which a GPU case is measured and guarded.
//
// All are queued on a stream and return at once. Errors of a launch are GpuError.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perfgate/bench/guard_memory.h"

namespace perfgate::bench {

// Where the host and a held stream meet; in host memory that the device sees.
struct HoldFlags {
  unsigned arrived;    // by the device: the ticket of the hold that it has reached
  unsigned released;   // by the host
  unsigned timed_out;  // by the device: ticket of a hold that nobody released in time
};

// Occupies the stream until flags->released == ticket, or for `timeout_ns` of the device's clock.
void LaunchHold(HoldFlags* device_flags, unsigned ticket, long long timeout_ns,
                cudaStream_t stream);

struct ClockReading {
  long long cycles;
  long long nanoseconds;
};

// SM cycles that go by in about `microseconds`, from tick to tick of the nanosecond clock, whose
// steps may be a microsecond wide.
void LaunchClockProbe(ClockReading* device_reading, int microseconds, cudaStream_t stream);

void LaunchEmpty(int blocks, int threads, cudaStream_t stream);

// Reads `bytes` once, so that they take the place of whatever the L2 cache held.
void LaunchRead(const void* data, std::size_t bytes, unsigned* sink, int multiprocessors,
                cudaStream_t stream);

// Content as HostMemory::Randomize makes it.
void LaunchRandomize(const std::vector<Region>& regions, std::uint64_t seed, int multiprocessors,
                     cudaStream_t stream);

// Adds the fingerprint of regions[i] to sums[i] for i in [begin, end).
void LaunchPrints(const std::vector<Region>& regions, std::size_t begin, std::size_t end,
                  std::uint64_t seed, unsigned long long* sums, int multiprocessors,
                  cudaStream_t stream);

}  // namespace perfgate::bench
