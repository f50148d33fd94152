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

// Regions that one launch works on: as many as fit into the parameters of a kernel (4 KiB). A
// launch takes longer than the work on a small region.
constexpr int kBatch = 120;
struct Batch {
  Region regions[kBatch];
};
static_assert(sizeof(Batch) <= 3900);

__device__ void StoreBytes(unsigned char* at, std::uint64_t value, std::size_t count) {
  for (std::size_t b = 0; b < count; ++b) at[b] = static_cast<unsigned char>(value >> (8 * b));
}

__device__ bool IsAligned(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % 8 == 0;
}

__device__ void FillBytes(const Region& region, std::uint64_t seed) {
  auto* data = static_cast<unsigned char*>(region.data);
  const bool aligned = IsAligned(data);
  const std::size_t words = WordsOf(region.bytes);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) {
    const std::uint64_t word = RandomWord(seed, i);
    if (aligned && 8 * i + 8 <= region.bytes) {
      *reinterpret_cast<std::uint64_t*>(data + 8 * i) = word;
    } else {
      const std::size_t left = region.bytes - 8 * i;
      StoreBytes(data + 8 * i, word, left < 8 ? left : 8);
    }
  }
}

// Floats are at least aligned to themselves: kernels read them as such.
template <class Element, class Make>
__device__ void FillElements(const Region& region, const Make& make) {
  auto* data = static_cast<Element*>(region.data);
  const std::size_t count = region.bytes / sizeof(Element);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = make(i);
  }
}

__global__ void PerfgateFill(const __grid_constant__ Batch batch, std::size_t first,
                             std::uint64_t seed) {
  const Region& region = batch.regions[blockIdx.y];
  const std::uint64_t own = RegionSeed(seed, first + blockIdx.y);
  switch (region.content) {
    case Content::kKeep:
      return;
    case Content::kBytes:
      return FillBytes(region, own);
    case Content::kF32:
      return FillElements<std::uint32_t>(region,
                                         [own](std::size_t i) { return RandomF32(own, i); });
    case Content::kBf16:
      return FillElements<std::uint16_t>(region,
                                         [own](std::size_t i) { return RandomBf16(own, i); });
    case Content::kF16:
      return FillElements<std::uint16_t>(region,
                                         [own](std::size_t i) { return RandomF16(own, i); });
  }
}

__device__ std::uint64_t LoadBytes(const unsigned char* at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t b = 0; b < count; ++b) value |= std::uint64_t{at[b]} << (8 * b);
  return value;
}

__global__ void PerfgatePrint(const __grid_constant__ Batch batch, std::uint64_t seed,
                              unsigned long long* sums) {
  const Region& region = batch.regions[blockIdx.y];
  const auto* data = static_cast<const unsigned char*>(region.data);
  const bool aligned = IsAligned(data);
  const std::size_t words = WordsOf(region.bytes);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long print = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) {
    std::uint64_t word = 0;
    if (aligned && 8 * i + 8 <= region.bytes) {
      word = __ldcg(reinterpret_cast<const unsigned long long*>(data + 8 * i));
    } else {
      const std::size_t left = region.bytes - 8 * i;
      word = LoadBytes(data + 8 * i, left < 8 ? left : 8);
    }
    print += WordPrint(seed, i, word);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    print += __shfl_down_sync(0xFFFFFFFFU, print, offset);
  }
  // Sums of integers: the same in every order.
  if (threadIdx.x % 32 == 0) atomicAdd(sums + blockIdx.y, print);
}

int BlocksFor(std::size_t work, int multiprocessors) {
  constexpr int kBlocksPerMultiprocessor = 8;
  const std::size_t needed = (work + kThreads - 1) / kThreads;
  return static_cast<int>(std::clamp<std::size_t>(
      needed, 1, static_cast<std::size_t>(multiprocessors) * kBlocksPerMultiprocessor));
}

void CheckLaunched(const char* what) { CheckGpu(cudaGetLastError(), what); }

// Calls launch(batch, grid, index of its first region) for the regions of [begin, end).
template <class Launch>
void InBatches(const std::vector<Region>& regions, std::size_t begin, std::size_t end,
               int multiprocessors, const Launch& launch) {
  for (std::size_t first = begin; first < end; first += kBatch) {
    const std::size_t count = std::min<std::size_t>(kBatch, end - first);
    Batch batch;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      batch.regions[i] = regions[first + i];
      largest = std::max(largest, regions[first + i].bytes);
    }
    if (largest == 0) continue;
    const auto blocks = static_cast<unsigned>(BlocksFor(WordsOf(largest), multiprocessors));
    launch(batch, dim3(blocks, static_cast<unsigned>(count)), first);
  }
}

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

void LaunchRandomize(const std::vector<Region>& regions, std::uint64_t seed, int multiprocessors,
                     cudaStream_t stream) {
  InBatches(regions, 0, regions.size(), multiprocessors,
            [&](const Batch& batch, dim3 grid, std::size_t first) {
              PerfgateFill<<<grid, kThreads, 0, stream>>>(batch, first, seed);
            });
  CheckLaunched("filling a buffer");
}

void LaunchPrints(const std::vector<Region>& regions, std::size_t begin, std::size_t end,
                  std::uint64_t seed, unsigned long long* sums, int multiprocessors,
                  cudaStream_t stream) {
  InBatches(regions, begin, end, multiprocessors,
            [&](const Batch& batch, dim3 grid, std::size_t first) {
              PerfgatePrint<<<grid, kThreads, 0, stream>>>(batch, seed, sums + (first - begin));
            });
  CheckLaunched("taking a fingerprint");
}

}  // namespace perfgate::bench
