// SPDX-License-Identifier: Apache-2.0
// select.cuh: the largest of many distinct 64-bit keys (order.cuh), by one block
//
// Radix selection narrows the keys down, digit by digit from the top, until few enough are at or
// above the last digit; those are collected and sorted. Keys are distinct, so ties need no case of
// their own, and the order in which threads find keys does not show once they are sorted.
#pragma once

#include <cstdint>

namespace kernels::cuda {

inline constexpr int kSelectThreads = 1024;
inline constexpr int kSelected = kSelectThreads;  // keys that can be sorted: one per thread
inline constexpr int kBins = 2 * kSelectThreads;  // of a digit of 11 bits

struct SelectShared {
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
  const std::uint32_t mine = in_high + in_low;
  std::uint32_t in_warp = mine;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t other = __shfl_up_sync(0xffffffffU, in_warp, step);
    in_warp += lane >= step ? other : 0;
  }
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

static __device__ void ClearBins(SelectShared& shared) {
  shared.bins[threadIdx.x] = 0;
  shared.bins[threadIdx.x + kSelectThreads] = 0;
  __syncthreads();
}

// The threshold that at least k and at most `capacity` of `count` keys pass. Key i is key_at(i),
// and order_at(i) is its upper half. 1 <= k <= capacity; k <= count. Keys of 0 are no keys: there
// are at least k others.
template <class OrderAt, class KeyAt>
__device__ Threshold FindThreshold(SelectShared& shared, OrderAt order_at, KeyAt key_at, int count,
                                   int k, int capacity) {
  if (count <= capacity) {
    return {};
  }
  const auto most = static_cast<std::uint32_t>(capacity);
  auto need = static_cast<std::uint32_t>(k);
  // 11, 11 and 10 bits of order, in 32-bit arithmetic, which is nearly always enough.
  std::uint32_t order = 0;  // the digits so far
#pragma unroll
  for (int digit = 0; digit < 3; ++digit) {
    constexpr int kNext[3] = {21, 10, 0};
    constexpr int kShift[3] = {31, 21, 10};
    constexpr std::uint32_t kMask[3] = {0x7ff, 0x7ff, 0x3ff};
    ClearBins(shared);
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kSelectThreads) {
      const std::uint32_t value = order_at(i);
      if (digit == 0 || value >> kShift[digit] == order) {
        atomicAdd(&shared.bins[(value >> kNext[digit]) & kMask[digit]], 1U);
      }
    }
    __syncthreads();
    FindBin(shared, need);
    order = (order << (digit < 2 ? 11 : 10)) | shared.bin;
    need -= shared.above;
    if (static_cast<std::uint32_t>(k) - need + shared.inside <= most) {
      return {order, 32 + kNext[digit]};
    }
  }
  // Ties: then the same of the column.
  std::uint64_t prefix = order;
  int shift = 32;
  do {
    const int width = shift == 10 ? 10 : 11;
    const int next = shift - width;
    ClearBins(shared);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kSelectThreads) {
      const std::uint64_t key = key_at(i);
      if (key >> shift == prefix) {
        atomicAdd(&shared.bins[(key >> next) & ((1U << width) - 1)], 1U);
      }
    }
    __syncthreads();
    FindBin(shared, need);
    prefix = prefix << width | shared.bin;
    need -= shared.above;
    shift = next;
  } while (static_cast<std::uint32_t>(k) - need + shared.inside > most);
  return {prefix, shift};
}

// put(place, key) for the keys that pass, which are numbered 0, 1, ... in any order, as far as they
// are below `most`. Returns how many there are.
template <class KeyAt, class Put>
__device__ int Collect(SelectShared& shared, KeyAt key_at, int count, Threshold threshold, int most,
                       Put put) {
  constexpr int kBatch = 4;
  __syncthreads();
  if (threadIdx.x == 0) {
    shared.length = 0;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kBatch * kSelectThreads) {
    std::uint64_t keys[kBatch];
#pragma unroll
    for (int j = 0; j < kBatch; ++j) {
      keys[j] = i + j * kSelectThreads < count ? key_at(i + j * kSelectThreads) : 0;
    }
#pragma unroll
    for (int j = 0; j < kBatch; ++j) {
      if (keys[j] != 0 && threshold.Has(keys[j])) {
        const auto place = static_cast<int>(atomicAdd(&shared.length, 1U));
        if (place < most) {
          put(place, keys[j]);
        }
      }
    }
  }
  __syncthreads();
  return static_cast<int>(shared.length);
}

// Each key's place is the number of larger ones, which several threads count together.
static __device__ void SortByCounting(const std::uint64_t* keys, int length, std::uint64_t* list) {
  const int log2_length = length <= 32 ? 5 : 32 - __clz(length - 1);
  const int log2_threads = 10 - log2_length;  // per key, at most 32
  const auto mine = static_cast<int>(threadIdx.x >> log2_threads);
  const unsigned first = threadIdx.x & ((1U << log2_threads) - 1);
  const std::uint64_t key = mine < length ? keys[mine] : 0;
  std::uint32_t larger = 0;
  for (int i = static_cast<int>(first); i < length; i += 1 << log2_threads) {
    larger += keys[i] > key;
  }
  for (int step = 1 << log2_threads >> 1; step > 0; step >>= 1) {
    larger += __shfl_xor_sync(0xffffffffU, larger, step);
  }
  if (mine < length && first == 0) {
    list[larger] = key;
  }
  __syncthreads();
}

// Batcher's bitonic network, a key per thread; neighbours within a warp exchange by shuffles.
static __device__ void SortByNetwork(const std::uint64_t* keys, int length, std::uint64_t* list) {
  const unsigned at = threadIdx.x;
  std::uint64_t key = at < static_cast<unsigned>(length) ? keys[at] : 0;
  for (unsigned size = 2; size / 2 < static_cast<unsigned>(length); size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      std::uint64_t other;
      if (stride >= 32) {
        list[at] = key;
        __syncthreads();
        other = list[at ^ stride];
        __syncthreads();
      } else {
        other = __shfl_xor_sync(0xffffffffU, key, static_cast<int>(stride));
      }
      const bool keep_larger = ((at & stride) == 0) == ((at & size) == 0);
      key = (key > other) == keep_larger ? key : other;
    }
  }
  list[at] = key;
  __syncthreads();
}

// The first `length` <= kSelected keys, largest first, to the list, which has room for kSelected
// and is no part of `keys`.
__device__ __forceinline__ void Sort(const std::uint64_t* keys, int length, std::uint64_t* list) {
  if (length <= 256) {
    SortByCounting(keys, length, list);
  } else {
    SortByNetwork(keys, length, list);
  }
}

}  // namespace kernels::cuda
