// SPDX-License-Identifier: Apache-2.0
// select.cuh: the k largest of many distinct 64-bit keys (order.cuh), by one block
//
// Radix selection narrows the keys down, digit by digit from the top, until those at or above the
// last digit fit a list; the list is sorted. Keys are distinct, so ties need no case of their own,
// and the order in which threads find keys does not show in the sorted list.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

namespace kernels::cuda {

inline constexpr int kSelectThreads = 1024;
inline constexpr int kSelected = kSelectThreads;  // places of the list, one per thread
inline constexpr int kBins = 2 * kSelectThreads;  // of a digit of 11 bits

struct SelectShared {
  std::uint64_t list[kSelected];
  std::uint32_t bins[kBins];
  std::uint32_t warp_sums[kSelectThreads / 32];
  std::uint32_t bin, above, inside, length;
};

// Keys from the top: those with key >> shift >= prefix.
struct Threshold {
  std::uint64_t prefix = 0;
  int shift = 0;

  __device__ bool Has(std::uint64_t key) const { return key >> shift >= prefix; }
};

// Sets bin to the one that holds the need-th largest of the counted keys, above to the number in
// higher bins and inside to the number in it. There are at least `need` of them.
static __device__ void FindBin(SelectShared& shared, std::uint32_t need) {
  // Thread 0 has the two highest bins.
  const unsigned high = kBins - 1 - 2 * threadIdx.x;
  const std::uint32_t in_high = shared.bins[high];
  const std::uint32_t in_low = shared.bins[high - 1];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const auto inclusive_in_warp = [lane](std::uint32_t value) {
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(0xffffffffU, value, step);
      value += lane >= step ? other : 0;
    }
    return value;
  };
  const std::uint32_t mine = in_high + in_low;
  const std::uint32_t in_warp = inclusive_in_warp(mine);
  if (lane == 31) {
    shared.warp_sums[warp] = in_warp;
  }
  __syncthreads();
  // Every warp adds up the warps before it, which saves a barrier.
  const std::uint32_t earlier =
      __reduce_add_sync(0xffffffffU, lane < warp ? shared.warp_sums[lane] : 0);
  const std::uint32_t before = earlier + in_warp - mine;
  if (before < need && need <= before + mine) {
    const bool is_high = need <= before + in_high;
    shared.bin = is_high ? high : high - 1;
    shared.above = is_high ? before : before + in_high;
    shared.inside = is_high ? in_high : in_low;
  }
  __syncthreads();
}

// The threshold that at least k and at most `capacity` of the keys key_at(0) ... key_at(count - 1)
// pass. 1 <= k <= capacity; k <= count. Keys of 0 are no keys: there are at least k others.
template <class KeyAt>
__device__ Threshold FindThreshold(SelectShared& shared, KeyAt key_at, std::int64_t count, int k,
                                   int capacity) {
  if (count <= capacity) {
    return {};
  }
  std::uint64_t prefix = 0;
  int shift = 64;
  auto need = static_cast<std::uint32_t>(k);
  do {
    // 11 + 11 + 10 bits of order, then the same of the column.
    const int width = shift == 42 || shift == 10 ? 10 : 11;
    const int next = shift - width;
    shared.bins[threadIdx.x] = 0;
    shared.bins[threadIdx.x + kSelectThreads] = 0;
    __syncthreads();
#pragma unroll 4
    for (std::int64_t i = threadIdx.x; i < count; i += kSelectThreads) {
      const std::uint64_t key = key_at(i);
      if (shift == 64 || key >> shift == prefix) {
        atomicAdd(&shared.bins[(key >> next) & ((1U << width) - 1)], 1U);
      }
    }
    __syncthreads();
    FindBin(shared, need);
    prefix = prefix << width | shared.bin;
    need -= shared.above;
    shift = next;
  } while (static_cast<std::uint32_t>(k) - need + shared.inside >
           static_cast<std::uint32_t>(capacity));
  return {prefix, shift};
}

// Puts the keys that pass into the list, in any order, and returns how many there are. No more than
// kSelected are put there.
template <class KeyAt>
__device__ int Collect(SelectShared& shared, KeyAt key_at, std::int64_t count,
                       Threshold threshold) {
  constexpr int kBatch = 4;
  __syncthreads();
  if (threadIdx.x == 0) {
    shared.length = 0;
  }
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < count; i += kBatch * kSelectThreads) {
    std::uint64_t keys[kBatch];
#pragma unroll
    for (int j = 0; j < kBatch; ++j) {
      keys[j] = i + j * kSelectThreads < count ? key_at(i + j * kSelectThreads) : 0;
    }
#pragma unroll
    for (int j = 0; j < kBatch; ++j) {
      if (keys[j] != 0 && threshold.Has(keys[j])) {
        const cooperative_groups::coalesced_group finders = cooperative_groups::coalesced_threads();
        std::uint32_t place = 0;
        if (finders.thread_rank() == 0) {
          place = atomicAdd(&shared.length, finders.size());
        }
        place = finders.shfl(place, 0) + finders.thread_rank();
        if (place < kSelected) {
          shared.list[place] = keys[j];
        }
      }
    }
  }
  __syncthreads();
  return static_cast<int>(shared.length);
}

// A power of two of at least `length` and 32.
__device__ __forceinline__ unsigned RoundedUp(int length) {
  return length <= 32 ? 32U : 1U << (32 - __clz(length - 1));
}

// Each key's place is the number of larger ones, which several threads count together.
static __device__ void SortByCounting(SelectShared& shared, int length) {
  const unsigned threads = kSelectThreads / RoundedUp(length);  // per key, at most 32
  const unsigned mine = threadIdx.x / threads;
  const bool used = mine < static_cast<unsigned>(length);
  const std::uint64_t key = used ? shared.list[mine] : 0;
  std::uint32_t larger = 0;
  for (unsigned i = threadIdx.x % threads; i < static_cast<unsigned>(length); i += threads) {
    larger += shared.list[i] > key;
  }
  for (unsigned step = threads / 2; step > 0; step /= 2) {
    larger += __shfl_xor_sync(0xffffffffU, larger, static_cast<int>(step));
  }
  __syncthreads();
  if (used && threadIdx.x % threads == 0) {
    shared.list[larger] = key;
  }
  __syncthreads();
}

// Batcher's bitonic network, a key per thread; neighbours within a warp exchange by shuffles.
static __device__ void SortByNetwork(SelectShared& shared, int length) {
  const unsigned at = threadIdx.x;
  std::uint64_t key = at < static_cast<unsigned>(length) ? shared.list[at] : 0;
  __syncthreads();
  for (unsigned size = 2; size / 2 < static_cast<unsigned>(length); size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      std::uint64_t other;
      if (stride >= 32) {
        shared.list[at] = key;
        __syncthreads();
        other = shared.list[at ^ stride];
        __syncthreads();
      } else {
        other = __shfl_xor_sync(0xffffffffU, key, static_cast<int>(stride));
      }
      const bool keep_larger = ((at & stride) == 0) == ((at & size) == 0);
      key = (key > other) == keep_larger ? key : other;
    }
  }
  shared.list[at] = key;
  __syncthreads();
}

// Sorts the first `length` keys of the list, largest first.
__device__ __forceinline__ void SortList(SelectShared& shared, int length) {
  if (length <= 256) {
    SortByCounting(shared, length);
  } else {
    SortByNetwork(shared, length);
  }
}

}  // namespace kernels::cuda
