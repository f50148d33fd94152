// SPDX-License-Identifier: Apache-2.0
// select_few.cuh: the k largest elements of a row for small k, from the maxima of its groups
//
// Groups are dealt to 128 classes. The k-th largest of the classes' maxima has k groups, so k
// elements, at or above it, and with elements in random order hardly more: 64 for k = 50. Ranking
// 128 maxima by counting takes two barriers, where radix selection (select.cuh) takes five a digit.
#pragma once

#include "kernels/cuda/select/order.cuh"
#include "kernels/cuda/select/select.cuh"

namespace kernels::cuda {

inline constexpr int kFewClasses = kSelectThreads / 8;  // of 8 threads, which also rank it
inline constexpr int kMostFew = kFewClasses / 2;        // k; more leaves too many elements
inline constexpr int kFewGroups = 256;                  // groups and elements that are looked at
inline constexpr int kFewElements = 256;

struct FewShared {
  std::uint32_t classes[kFewClasses];
  std::uint32_t threshold, groups, elements;
};

// The value of rank k - 1 among the classes' maxima, 0 being the largest; 1 <= k <= kMostFew.
static __device__ std::uint32_t FewThreshold(FewShared& few, int k, int groups,
                                             const std::uint32_t* maxima) {
  constexpr unsigned kTeam = kSelectThreads / kFewClasses;
  const unsigned own = threadIdx.x / kTeam;
  const unsigned rank = threadIdx.x % kTeam;
  std::uint32_t best = 0;
  for (int i = static_cast<int>(threadIdx.x); i < groups; i += kSelectThreads) {
    best = maxima[i] > best ? maxima[i] : best;
  }
#pragma unroll
  for (unsigned step = 1; step < kTeam; step *= 2) {
    const std::uint32_t other = __shfl_xor_sync(0xffffffffU, best, static_cast<int>(step));
    best = other > best ? other : best;
  }
  if (rank == 0) {
    few.classes[own] = best;
  }
  if (threadIdx.x == 0) {
    few.groups = 0;
    few.elements = 0;
  }
  __syncthreads();
  unsigned before = 0;  // classes that come before this one
#pragma unroll
  for (unsigned i = rank; i < kFewClasses; i += kTeam) {
    const std::uint32_t other = few.classes[i];
    before += other > best || (other == best && i < own) ? 1U : 0U;
  }
#pragma unroll
  for (unsigned step = 1; step < kTeam; step *= 2) {
    before += __shfl_xor_sync(0xffffffffU, before, static_cast<int>(step));
  }
  if (rank == 0 && before == static_cast<unsigned>(k - 1)) {
    few.threshold = best;
  }
  __syncthreads();
  return few.threshold;
}

// Sorts the k largest keys of a row and perhaps some more to `list`, or returns false where too
// many are alike: then `ids`, `keys` and `list` hold nothing. Group i is the elements from
// i << log2_group on; ids has room for kFewGroups, keys for kFewElements. 1 <= k <= kMostFew and
// k <= groups.
static __device__ bool SelectFew(FewShared& few, const float* x, std::int64_t cols, int k,
                                 int log2_group, int groups, const std::uint32_t* maxima,
                                 std::uint32_t* ids, std::uint64_t* keys, std::uint64_t* list) {
  constexpr int kLoads = 8;
  const std::uint32_t threshold = FewThreshold(few, k, groups, maxima);
  for (int i = static_cast<int>(threadIdx.x); i < groups; i += kSelectThreads) {
    if (maxima[i] >= threshold) {
      const std::uint32_t place = atomicAdd(&few.groups, 1U);
      if (place < kFewGroups) {
        ids[place] = static_cast<std::uint32_t>(i);
      }
    }
  }
  __syncthreads();
  const std::uint32_t found = few.groups;
  if (found > kFewGroups) {
    return false;
  }
  const std::uint32_t end = found << log2_group;
  const std::uint32_t mask = (1U << log2_group) - 1;
  const auto width = static_cast<std::uint32_t>(cols);
  for (std::uint32_t begin = threadIdx.x; begin < end; begin += kLoads * kSelectThreads) {
    std::uint32_t columns[kLoads];
    float values[kLoads];
#pragma unroll
    for (std::uint32_t j = 0; j < kLoads; ++j) {
      const std::uint32_t i = begin + j * kSelectThreads;
      columns[j] = i < end ? (ids[i >> log2_group] << log2_group) + (i & mask) : width;
      values[j] = columns[j] < width ? __ldg(x + columns[j]) : 0.0F;
    }
#pragma unroll
    for (std::uint32_t j = 0; j < kLoads; ++j) {
      const std::uint32_t order = OrderOf(values[j]);
      if (columns[j] < width && order >= threshold) {
        const std::uint32_t place = atomicAdd(&few.elements, 1U);
        if (place < kFewElements) {
          keys[place] = KeyOf(order, columns[j]);
        }
      }
    }
  }
  __syncthreads();
  const auto length = static_cast<int>(few.elements);
  if (length > kFewElements) {
    return false;
  }
  SortByCounting(keys, length, list);
  return true;
}

}  // namespace kernels::cuda
