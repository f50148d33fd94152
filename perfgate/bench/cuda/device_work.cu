// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "perfgate/bench/cuda/device_work.h"
#include "perfgate/bench/cuda/gpu_status.h"
#include "perfgate/bench/random_words.h"

namespace perfgate::bench {
namespace {

constexpr int kThreads = 256;

__device__ long long Nanoseconds() {
  long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void PerfgateHold(volatile HoldFlags* flags, unsigned ticket, long long timeout_ns) {
  flags->arrived = ticket;
  __threadfence_system();
  const long long start = Nanoseconds();
  while (flags->released != ticket) {
    if (Nanoseconds() - start > timeout_ns) {
      flags->timed_out = ticket;
      __threadfence_system();
      return;
    }
  }
}

__global__ void PerfgateClockProbe(ClockReading* reading, long long nanoseconds) {
  const long long before = Nanoseconds();
  long long begin = before;
  while (begin == before) begin = Nanoseconds();
  const long long first = clock64();
  long long last_tick = begin;
  long long last = first;
  while (last_tick - begin < nanoseconds) {
    const long long now = Nanoseconds();
    if (now != last_tick) {
      last = clock64();
      last_tick = now;
    }
  }
  reading->cycles = last - first;
  reading->nanoseconds = last_tick - begin;
}

__global__ void PerfgateEmpty() {}

__global__ void PerfgateRead(const uint4* data, std::size_t count, unsigned* sink) {
  constexpr int kUnroll = 4;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (; i + (kUnroll - 1) * stride < count; i += kUnroll * stride) {
    uint4 v[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) v[k] = __ldcg(data + i + k * stride);
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  for (; i < count; i += stride) sum += __ldcg(data + i).x;
  // Keeps the loads; the memory read here holds zeros, so nothing is ever written.
  if (sum != 0) atomicAdd(sink, 1U);
}

__device__ void StoreBytes(unsigned char* at, std::uint64_t value, std::size_t count) {
  for (std::size_t b = 0; b < count; ++b) at[b] = static_cast<unsigned char>(value >> (8 * b));
}

__global__ void PerfgateFillBytes(unsigned char* data, std::size_t bytes, std::uint64_t seed,
                                  bool aligned) {
  const std::size_t words = WordsOf(bytes);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) {
    const std::uint64_t word = RandomWord(seed, i);
    if (aligned && 8 * i + 8 <= bytes) {
      *reinterpret_cast<std::uint64_t*>(data + 8 * i) = word;
    } else {
      const std::size_t left = bytes - 8 * i;
      StoreBytes(data + 8 * i, word, left < 8 ? left : 8);
    }
  }
}

template <class Element, class Make>
__device__ void FillElements(Element* data, std::size_t count, const Make& make) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = make(i);
  }
}

// Floats are at least aligned to themselves: kernels read them as such.
__global__ void PerfgateFillElements(void* data, std::size_t bytes, Content content,
                                     std::uint64_t seed) {
  if (content == Content::kF32) {
    FillElements(static_cast<std::uint32_t*>(data), bytes / 4,
                 [seed](std::size_t i) { return RandomF32(seed, i); });
  } else if (content == Content::kBf16) {
    FillElements(static_cast<std::uint16_t*>(data), bytes / 2,
                 [seed](std::size_t i) { return RandomBf16(seed, i); });
  } else {
    FillElements(static_cast<std::uint16_t*>(data), bytes / 2,
                 [seed](std::size_t i) { return RandomF16(seed, i); });
  }
}

__device__ std::uint64_t LoadBytes(const unsigned char* at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t b = 0; b < count; ++b) value |= std::uint64_t{at[b]} << (8 * b);
  return value;
}

__global__ void PerfgatePrint(const unsigned char* data, std::size_t bytes, std::uint64_t seed,
                              bool aligned, unsigned long long* sum) {
  const std::size_t words = WordsOf(bytes);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long print = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) {
    std::uint64_t word = 0;
    if (aligned && 8 * i + 8 <= bytes) {
      word = __ldcg(reinterpret_cast<const unsigned long long*>(data + 8 * i));
    } else {
      const std::size_t left = bytes - 8 * i;
      word = LoadBytes(data + 8 * i, left < 8 ? left : 8);
    }
    print += WordPrint(seed, i, word);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    print += __shfl_down_sync(0xFFFFFFFFU, print, offset);
  }
  // Sums of integers: the same in every order.
  if (threadIdx.x % 32 == 0) atomicAdd(sum, print);
}

int BlocksFor(std::size_t work, int multiprocessors) {
  constexpr int kBlocksPerMultiprocessor = 8;
  const std::size_t needed = (work + kThreads - 1) / kThreads;
  return static_cast<int>(std::clamp<std::size_t>(
      needed, 1, static_cast<std::size_t>(multiprocessors) * kBlocksPerMultiprocessor));
}

void CheckLaunched(const char* what) { CheckGpu(cudaGetLastError(), what); }

bool IsAligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 8 == 0; }

}  // namespace

void LaunchHold(HoldFlags* device_flags, unsigned ticket, long long timeout_ns,
                cudaStream_t stream) {
  PerfgateHold<<<1, 1, 0, stream>>>(device_flags, ticket, timeout_ns);
  CheckLaunched("holding the stream");
}

void LaunchClockProbe(ClockReading* device_reading, int microseconds, cudaStream_t stream) {
  PerfgateClockProbe<<<1, 1, 0, stream>>>(device_reading, 1000LL * microseconds);
  CheckLaunched("probing the clock");
}

void LaunchEmpty(int blocks, int threads, cudaStream_t stream) {
  PerfgateEmpty<<<blocks, threads, 0, stream>>>();
  CheckLaunched("launching an empty kernel");
}

void LaunchRead(const void* data, std::size_t bytes, unsigned* sink, int multiprocessors,
                cudaStream_t stream) {
  const std::size_t count = bytes / sizeof(uint4);
  if (count == 0) return;
  PerfgateRead<<<BlocksFor(count, multiprocessors), kThreads, 0, stream>>>(
      static_cast<const uint4*>(data), count, sink);
  CheckLaunched("emptying the cache");
}

void LaunchRandomize(const Region& region, std::uint64_t seed, int multiprocessors,
                     cudaStream_t stream) {
  if (region.bytes == 0 || region.content == Content::kKeep) return;
  const int blocks = BlocksFor(WordsOf(region.bytes), multiprocessors);
  if (region.content == Content::kBytes) {
    PerfgateFillBytes<<<blocks, kThreads, 0, stream>>>(static_cast<unsigned char*>(region.data),
                                                       region.bytes, seed, IsAligned(region.data));
  } else {
    PerfgateFillElements<<<blocks, kThreads, 0, stream>>>(region.data, region.bytes, region.content,
                                                          seed);
  }
  CheckLaunched("filling a buffer");
}

void LaunchPrint(const Region& region, std::uint64_t seed, unsigned long long* sum,
                 int multiprocessors, cudaStream_t stream) {
  if (region.bytes == 0) return;
  PerfgatePrint<<<BlocksFor(WordsOf(region.bytes), multiprocessors), kThreads, 0, stream>>>(
      static_cast<const unsigned char*>(region.data), region.bytes, seed, IsAligned(region.data),
      sum);
  CheckLaunched("taking a fingerprint");
}

}  // namespace perfgate::bench
