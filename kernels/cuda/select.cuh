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
inline constexpr int kFirstShift = 53;            // below the first digit

struct SelectShared {
  std::uint64_t list[kSelected];
  std::uint32_t bins[kBins];
  std::uint32_t warp_sums[kSelectThreads / 32];
  std::uint32_t bin, above, inside, length;
};

__device__ __forceinline__ void ClearBins(SelectShared& shared) {
  shared.bins[threadIdx.x] = 0;
  shared.bins[threadIdx.x + kSelectThreads] = 0;
}

__device__ __forceinline__ void CountFirstDigit(SelectShared& shared, std::uint64_t key) {
  atomicAdd(&shared.bins[key >> kFirstShift], 1U);
}

// Sets bin to the one that holds the need-th largest of the counted keys, above to the number in
// higher bins and inside to the number in it. There are at least `need` of them.
__device__ __forceinline__ void FindBin(SelectShared& shared, std::uint32_t need) {
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
  if (warp == 0) {
    shared.warp_sums[lane] = inclusive_in_warp(shared.warp_sums[lane]);
  }
  __syncthreads();
  const std::uint32_t before = (warp == 0 ? 0 : shared.warp_sums[warp - 1]) + in_warp - mine;
  if (before < need && need <= before + mine) {
    const bool is_high = need <= before + in_high;
    shared.bin = is_high ? high : high - 1;
    shared.above = is_high ? before : before + in_high;
    shared.inside = is_high ? in_high : in_low;
  }
  __syncthreads();
}

// Writes at most `capacity` of the keys key_at(0) ... key_at(count - 1) to the list, the k largest
// among them, in any order, and returns how many. 1 <= k <= capacity <= kSelected; k <= count. Keys
// of 0 are no keys: there are at least k others. Where `first_counted` the bins have the first
// digit of every key, and a barrier has passed since.
template <class KeyAt>
__device__ int SelectTop(SelectShared& shared, KeyAt key_at, std::int64_t count, int k,
                         int capacity, bool first_counted) {
  std::uint64_t prefix = 0;  // the digits so far: what a key must have to be in the last bin
  int shift = 0;             // digits of keys below this are not part of it
  if (count > capacity) {
    auto need = static_cast<std::uint32_t>(k);
    // 11 + 11 + 10 bits of order, then the same of the column.
    shift = 64;
    do {
      const int width = shift == 42 || shift == 10 ? 10 : 11;
      const int next = shift - width;
      if (shift != 64 || !first_counted) {
        ClearBins(shared);
        __syncthreads();
#pragma unroll 4
        for (std::int64_t i = threadIdx.x; i < count; i += kSelectThreads) {
          const std::uint64_t key = key_at(i);
          if (shift == 64 || key >> shift == prefix) {
            atomicAdd(&shared.bins[(key >> next) & ((1U << width) - 1)], 1U);
          }
        }
        __syncthreads();
      }
      FindBin(shared, need);
      prefix = prefix << width | shared.bin;
      need -= shared.above;
      shift = next;
    } while (static_cast<std::uint32_t>(k) - need + shared.inside >
             static_cast<std::uint32_t>(capacity));
  }
  __syncthreads();  // shared.inside has been read
  if (threadIdx.x == 0) {
    shared.length = 0;
  }
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < count; i += kSelectThreads) {
    const std::uint64_t key = key_at(i);
    if (key != 0 && key >> shift >= prefix) {
      const cooperative_groups::coalesced_group finders = cooperative_groups::coalesced_threads();
      std::uint32_t place = 0;
      if (finders.thread_rank() == 0) {
        place = atomicAdd(&shared.length, finders.size());
      }
      shared.list[finders.shfl(place, 0) + finders.thread_rank()] = key;
    }
  }
  __syncthreads();
  return static_cast<int>(shared.length);
}

// Sorts the first `length` keys of the list, largest first (Batcher's bitonic network, a key per
// thread: neighbours within a warp exchange by shuffles).
__device__ __forceinline__ void SortList(SelectShared& shared, int length) {
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

}  // namespace kernels::cuda
