// SPDX-License-Identifier: Apache-2.0
// Long: one kernel, whose steps hand on the shared memory of a block.
//
// top_k_groups.cuh: the k largest elements of each row and what is made of them, in one launch
//
// The blocks of a row find the maxima of its groups (top_k_groups.h); one of them gets all of
// these, selects groups, then elements (few of them by select_few.cuh), sorts these and finishes
// the row. Maxima go through words of Context::counters to the last block (signal.cuh) where they
// fit, else through the workspace to the block that finishes last.
//
// Tried on an H100, cold, k = 50 of 1 x 128256: 16 blocks that each select from their part in
// shared memory and hand on at least k keys to the last, 15.6 us; maxima of groups to the last
// block to finish (`meet`), 11.8 us; signalled to a block that waits, 10.5 us; without divisions in
// the loops and with the launch brought up early, 8.0 us.
#pragma once

#include <algorithm>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/signal.cuh"
#include "kernels/cuda/select/order.cuh"
#include "kernels/cuda/select/select.cuh"
#include "kernels/cuda/select/select_few.cuh"
#include "kernels/cuda/select/top_k_groups.h"

namespace kernels::cuda {

inline constexpr std::int64_t kFetchedAhead = 64 << 10;  // bytes of a part

struct TopKInput {
  std::int64_t rows, cols;
  int k;
  const float* x;
  std::uint32_t* maxima;    // [rows, groups], where they are not signalled
  std::uint32_t* counters;  // zero before and after: signals [rows, groups], or parts done [rows]
};

// 0 is no signal; 1 is the order of no float that has one.
__device__ __forceinline__ std::uint32_t SignalOf(std::uint32_t order) {
  return order == kOrderOfNan ? 1 : order;
}
__device__ __forceinline__ std::uint32_t OrderOfSignal(std::uint32_t signal) {
  return signal == 1 ? kOrderOfNan : signal;
}

// The maxima of the groups of tiles first ... last - 1, one warp per tile, by put(group, order).
template <class Put>
__device__ __forceinline__ void FindMaxima(const float* x, std::int64_t cols, const TopKGroups& cut,
                                           std::int64_t first, std::int64_t last, Put put) {
  constexpr int kLoads = 8;  // of 32 elements each: a tile, or a piece of one
  const unsigned lane = threadIdx.x % 32;
  const int log2_tile = cut.log2_group > 8 ? cut.log2_group : 8;
  const unsigned mask = (1U << cut.log2_group) - 1;
  for (std::int64_t tile = first + threadIdx.x / 32; tile < last; tile += kSelectThreads / 32) {
    const std::int64_t begin = tile << log2_tile;
    std::uint32_t of_piece = 0;
    for (std::int64_t at = begin; at < begin + (std::int64_t{1} << log2_tile); at += 32 * kLoads) {
      std::uint32_t orders[kLoads];
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        const std::int64_t column = at + 32 * i + lane;
        // Beyond the end like a NaN, which is below all others and so hides nothing.
        orders[i] = column < cols ? OrderOf(__ldg(x + column)) : kOrderOfNan;
      }
      if (cut.log2_group < 5) {  // several groups in each 32 elements
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
          for (int step = 1; step < 1 << cut.log2_group; step <<= 1) {
            const std::uint32_t other = __shfl_xor_sync(0xffffffffU, orders[i], step);
            orders[i] = other > orders[i] ? other : orders[i];
          }
          const std::int64_t group = (at + 32 * i + lane) >> cut.log2_group;
          if ((lane & mask) == 0 && group < cut.groups) {
            put(group, orders[i]);
          }
        }
      } else if (cut.log2_group <= 8) {  // a group is 1, 2, 4 or 8 times 32 elements
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
          of_piece = orders[i] > of_piece ? orders[i] : of_piece;
          if ((((i + 1U) << 5) & mask) == 0) {
            of_piece = __reduce_max_sync(0xffffffffU, of_piece);
            const std::int64_t group = (at + 32 * i) >> cut.log2_group;
            if (lane == 0 && group < cut.groups) {
              put(group, of_piece);
            }
            of_piece = 0;
          }
        }
      } else {  // a tile is a group
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
          of_piece = orders[i] > of_piece ? orders[i] : of_piece;
        }
      }
    }
    if (cut.log2_group > 8) {
      of_piece = __reduce_max_sync(0xffffffffU, of_piece);
      if (lane == 0) {
        put(tile, of_piece);
      }
    }
  }
}

// Groups and elements that may turn out to be among those wanted.
inline constexpr int kMostGroups = 1280;
inline constexpr int kCandidates = 1536;

struct RowShared {
  SelectShared select;
  std::uint64_t list[kSelected];  // the result
  std::uint64_t candidates[kCandidates];
  std::uint32_t groups[kMostGroups];
  FewShared few;
};

// Where the classes of select_few.cuh have a group for each of their threads.
__device__ __forceinline__ bool AreFew(int k, const TopKGroups& cut) {
  return k <= kMostFew && cut.staged && cut.groups >= kSelectThreads;
}

// The k largest keys of a row and perhaps some more, sorted, to the list.
static __device__ void SelectElements(RowShared& shared, const float* x, std::int64_t cols, int k,
                                      const TopKGroups& cut, const std::uint32_t* maxima) {
  const auto all_groups = static_cast<int>(cut.groups);
  if (AreFew(k, cut) && SelectFew(shared.few, x, cols, k, cut.log2_group, all_groups, maxima,
                                  shared.groups, shared.candidates, shared.list)) {
    return;
  }
  // A few groups more than k are fewer elements to look at than another digit is work.
  const int spare = k + k / 8 + 8;
  const auto group_order = [=](int i) { return maxima[i]; };
  const auto group_key = [=](int i) { return KeyOf(maxima[i], static_cast<std::uint32_t>(i)); };
  const Threshold of_groups =
      FindThreshold(shared.select, group_order, group_key, all_groups,
                    k < all_groups ? k : all_groups, spare < kMostGroups ? spare : kMostGroups);
  const int groups = Collect(shared.select, group_key, all_groups, of_groups, kMostGroups,
                             [&](int place, std::uint64_t key) {
                               shared.groups[place] = static_cast<std::uint32_t>(ColumnOfKey(key));
                             });

  const unsigned mask = (1U << cut.log2_group) - 1;
  const auto element_key = [&](int i) {
    const std::int64_t column =
        (std::int64_t{shared.groups[i >> cut.log2_group]} << cut.log2_group) +
        (static_cast<unsigned>(i) & mask);
    return column < cols ? KeyOf(OrderOf(__ldg(x + column)), static_cast<std::uint32_t>(column))
                         : 0;
  };
  const int elements = groups << cut.log2_group;
  // At least k maxima, so as many elements, have an order that passes.
  const Threshold of_elements =
      of_groups.shift < 32 ? Threshold{of_groups.prefix >> (32 - of_groups.shift), 32} : of_groups;
  int length = Collect(shared.select, element_key, elements, of_elements, kCandidates,
                       [&](int place, std::uint64_t key) { shared.candidates[place] = key; });
  const auto to_list = [&](int place, std::uint64_t key) { shared.list[place] = key; };
  if (length > kCandidates) {  // ties, or large elements side by side
    const auto order = [&](int i) { return OrderOfKey(element_key(i)); };
    const Threshold exact =
        FindThreshold(shared.select, order, element_key, elements, k, kSelected);
    length = Collect(shared.select, element_key, elements, exact, kSelected,
                     [&](int place, std::uint64_t key) { shared.candidates[place] = key; });
  } else if (length > kSelected) {
    const auto order = [&](int i) { return OrderOfKey(shared.candidates[i]); };
    const auto key = [&](int i) { return shared.candidates[i]; };
    const Threshold exact = FindThreshold(shared.select, order, key, length, k, kSelected);
    length = Collect(shared.select, key, length, exact, kSelected, to_list);
    if (threadIdx.x < static_cast<unsigned>(length)) {
      shared.candidates[threadIdx.x] = shared.list[threadIdx.x];
    }
    __syncthreads();
  }
  Sort(shared.candidates, length, shared.list);
}

// Whether this is the last block of the row to come here.
static __device__ bool LastToFinish(std::uint32_t* done, int parts) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(done, 1U) == static_cast<unsigned>(parts - 1);
    __threadfence();
    if (last) {
      *done = 0;
    }
  }
  __syncthreads();
  return last;
}

// Waits for `count` signals and sets them back.
static __device__ void ReceiveMaxima(std::uint32_t* signals, std::int64_t count,
                                     std::uint32_t* staged) {
  constexpr int kBatch = 8;
  for (std::int64_t i = threadIdx.x; i < count; i += kBatch * kSelectThreads) {
    std::uint32_t words[kBatch];
    bool missing = false;
    do {
      missing = false;
#pragma unroll
      for (int j = 0; j < kBatch; ++j) {
        const std::int64_t at = i + j * kSelectThreads;
        words[j] = at < count ? Peek(signals + at) : 1;
        missing = missing || words[j] == 0;
      }
    } while (missing);
#pragma unroll
    for (int j = 0; j < kBatch; ++j) {
      const std::int64_t at = i + j * kSelectThreads;
      if (at < count) {
        Signal(signals + at, 0U);
        staged[at] = OrderOfSignal(words[j]);
      }
    }
  }
}

// Brings the maxima of a row to one block and returns where it finds them, null in other blocks.
static __device__ const std::uint32_t* MaximaOfRow(const TopKInput& input, const TopKGroups& cut,
                                                   std::int64_t row, int part,
                                                   std::uint32_t* staged) {
  const std::int64_t first = part * cut.tiles_per_part;
  const std::int64_t end =
      first + cut.tiles_per_part < cut.tiles ? first + cut.tiles_per_part : cut.tiles;
  const float* x = input.x + row * input.cols;
  const bool last = part == cut.parts - 1;
  if (cut.staged && (cut.parts == 1 || (cut.signalled && last))) {
    FindMaxima(x, input.cols, cut, first, end,
               [=](std::int64_t group, std::uint32_t order) { staged[group] = order; });
    if (cut.signalled) {
      const int log2_tile = cut.log2_group > 8 ? cut.log2_group : 8;
      ReceiveMaxima(input.counters + row * cut.groups, first << (log2_tile - cut.log2_group),
                    staged);
    }
    __syncthreads();
    return staged;
  }
  if (cut.signalled) {
    std::uint32_t* const signals = input.counters + row * cut.groups;
    FindMaxima(x, input.cols, cut, first, end, [=](std::int64_t group, std::uint32_t order) {
      Signal(signals + group, SignalOf(order));
    });
    return nullptr;
  }
  std::uint32_t* const maxima = input.maxima + row * cut.groups;
  FindMaxima(x, input.cols, cut, first, end,
             [=](std::int64_t group, std::uint32_t order) { maxima[group] = order; });
  if (cut.parts > 1 && !LastToFinish(&input.counters[row], cut.parts)) {
    return nullptr;
  }
  __syncthreads();
  if (!cut.staged) {
    return maxima;
  }
#pragma unroll 4
  for (std::int64_t i = threadIdx.x; i < cut.groups; i += kSelectThreads) {
    staged[i] = __ldcg(maxima + i);
  }
  __syncthreads();
  return staged;
}

// finish(row, list) is called by the whole block with the k largest keys of a row, sorted.
template <class Finish>
__global__ void __launch_bounds__(kSelectThreads, 1)
    TopKKernel(TopKInput input, TopKGroups cut, Finish finish) {
  extern __shared__ std::uint32_t staged[];
  __shared__ RowShared shared;
  LetNextStart();
  const auto part = static_cast<int>(blockIdx.x % static_cast<unsigned>(cut.parts));
  std::int64_t row = blockIdx.x / static_cast<unsigned>(cut.parts);
  if (cut.parts > 1 && threadIdx.x == 0) {
    const int log2_tile = cut.log2_group > 8 ? cut.log2_group : 8;
    const std::int64_t first = part * cut.tiles_per_part << log2_tile;
    const std::int64_t count = cut.tiles_per_part << log2_tile;
    const std::int64_t bytes = 4 * (first + count < input.cols ? count : input.cols - first);
    FetchAhead(input.x + row * input.cols + first, bytes < kFetchedAhead ? bytes : kFetchedAhead);
  }
  WaitForPrevious();
  for (; row < input.rows; row += gridDim.x / static_cast<unsigned>(cut.parts)) {
    const std::uint32_t* const maxima = MaximaOfRow(input, cut, row, part, staged);
    if (maxima == nullptr) {
      return;  // rows in parts have blocks of their own
    }
    SelectElements(shared, input.x + row * input.cols, input.cols, input.k, cut, maxima);
    finish(row, shared.list);
    if (cut.parts > 1) {
      return;
    }
    __syncthreads();  // the list has been read
  }
}

// Launches for `rows` > 0; the context has the workspace of GroupsForTopK.
template <class Finish>
void LaunchTopK(std::string_view name, std::int64_t rows, std::int64_t cols, std::int64_t k,
                const float* x, const Finish& finish, bool may_signal, const Context& context) {
  const TopKGroups cut = GroupsForTopK(rows, cols, k, may_signal, context);
  const std::int64_t most = 2L * context.gpu->limits().multiprocessors;
  const std::int64_t at_once = cut.parts == 1 ? std::min(rows, most) : rows;
  const TopKInput input{rows,
                        cols,
                        static_cast<int>(k),
                        x,
                        reinterpret_cast<std::uint32_t*>(context.workspace.data()),
                        context.counters.data()};
  // With the static shared memory even a little may pass the 48 KiB that a launch gets unasked.
  const auto shared_bytes = static_cast<int>(cut.SharedBytes());
  CheckCuda(cudaFuncSetAttribute(TopKKernel<Finish>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 shared_bytes),
            name);
  Launch(name, context,
         {.blocks = at_once * cut.parts,
          .threads = kSelectThreads,
          .shared = shared_bytes,
          .early = true},
         TopKKernel<Finish>, input, cut, finish);
}

}  // namespace kernels::cuda
