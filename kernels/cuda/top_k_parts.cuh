// SPDX-License-Identifier: Apache-2.0
// top_k_parts.cuh: the k largest of each row and what is made of them, in one launch
//
// Each part of a row (top_k_parts.h) is searched by a block, which hands on at least the part's k
// largest; the last block of the row to finish selects among those, sorts them and finishes the
// row. Rows of one part are finished by their block.
#pragma once

#include <algorithm>

#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/gpu.h"
#include "kernels/cuda/order.cuh"
#include "kernels/cuda/select.cuh"
#include "kernels/cuda/top_k_parts.h"

namespace kernels::cuda {

struct TopKWork {
  std::uint64_t* keys;     // [rows, parts, slots]
  std::uint32_t* lengths;  // [rows, parts]
  std::uint32_t* arrived;  // [rows], zero before and after
};

// The orders of a part in shared memory, counted by their first digit on the way.
static __device__ void StagePart(SelectShared& shared, std::uint32_t* orders, const float* x,
                                 std::int64_t begin, std::int64_t count) {
  constexpr int kLoads = 8;
  ClearBins(shared);
  __syncthreads();
  for (std::int64_t first = threadIdx.x; first < count; first += kLoads * kSelectThreads) {
    float values[kLoads];
#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      const std::int64_t i = first + j * kSelectThreads;
      values[j] = i < count ? __ldg(x + begin + i) : 0.0f;
    }
#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      const std::int64_t i = first + j * kSelectThreads;
      if (i < count) {
        const std::uint32_t order = OrderOf(values[j]);
        orders[i] = order;
        CountFirstDigit(shared, KeyOf(order, 0));
      }
    }
  }
  __syncthreads();
}

// The largest min(k, count) keys of a part and perhaps some more, at most `capacity`.
template <bool kStaged>
__device__ int SelectPart(SelectShared& shared, std::uint32_t* orders, const float* x,
                          std::int64_t begin, std::int64_t count, int k, int capacity) {
  const int take = count < k ? static_cast<int>(count) : k;
  if constexpr (kStaged) {
    StagePart(shared, orders, x, begin, count);
    return SelectTop(
        shared,
        [=](std::int64_t i) { return KeyOf(orders[i], static_cast<std::uint32_t>(begin + i)); },
        count, take, capacity, true);
  } else {
    return SelectTop(
        shared,
        [=](std::int64_t i) {
          return KeyOf(OrderOf(__ldg(x + begin + i)), static_cast<std::uint32_t>(begin + i));
        },
        count, take, capacity, false);
  }
}

// Brings the keys of a row's parts together. Returns how many there are.
static __device__ int GatherParts(SelectShared& shared, std::uint64_t* merged,
                                  const TopKParts& parts, const std::uint64_t* keys,
                                  const std::uint32_t* lengths) {
  if (threadIdx.x == 0) {
    shared.length = 0;
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  for (int part = static_cast<int>(threadIdx.x / 32); part < parts.parts;
       part += kSelectThreads / 32) {
    const std::uint32_t length = __ldcg(lengths + part);
    std::uint32_t place = lane == 0 ? atomicAdd(&shared.length, length) : 0;
    place = __shfl_sync(0xffffffffU, place, 0);
    for (std::uint32_t i = lane; i < length; i += 32) {
      merged[place + i] = __ldcg(keys + static_cast<std::int64_t>(part) * parts.slots + i);
    }
  }
  __syncthreads();
  const auto total = static_cast<int>(shared.length);
  __syncthreads();  // the length is used again
  return total;
}

// finish(row, list) is called by the whole block with the k largest keys of a row, sorted.
template <bool kStaged, class Finish>
__global__ void __launch_bounds__(kSelectThreads, 1)
    TopKKernel(std::int64_t rows, std::int64_t cols, int k, TopKParts parts, const float* x,
               TopKWork work, Finish finish) {
  extern __shared__ std::uint64_t dynamic[];
  __shared__ SelectShared shared;
  __shared__ bool last;
  const auto part = static_cast<int>(blockIdx.x % static_cast<unsigned>(parts.parts));
  const std::int64_t begin = part * parts.chunk;
  const std::int64_t count = cols - begin < parts.chunk ? cols - begin : parts.chunk;
  for (std::int64_t row = blockIdx.x / static_cast<unsigned>(parts.parts); row < rows;
       row += gridDim.x / static_cast<unsigned>(parts.parts)) {
    int length =
        SelectPart<kStaged>(shared, reinterpret_cast<std::uint32_t*>(dynamic), x + row * cols,
                            begin, count, k, parts.parts == 1 ? kSelected : parts.slots);
    if (parts.parts > 1) {
      const std::int64_t first = row * parts.parts;
      if (threadIdx.x < static_cast<unsigned>(length)) {
        work.keys[(first + part) * parts.slots + threadIdx.x] = shared.list[threadIdx.x];
      }
      if (threadIdx.x == 0) {
        work.lengths[first + part] = static_cast<std::uint32_t>(length);
      }
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&work.arrived[row], 1U) == static_cast<unsigned>(parts.parts - 1);
        __threadfence();
      }
      __syncthreads();
      if (!last) {
        return;  // rows in parts have blocks of their own
      }
      const int total = GatherParts(shared, dynamic, parts, work.keys + first * parts.slots,
                                    work.lengths + first);
      length = SelectTop(
          shared, [](std::int64_t i) { return dynamic[i]; }, total, k, kSelected, false);
      if (threadIdx.x == 0) {
        work.arrived[row] = 0;
      }
    }
    SortList(shared, length);
    finish(row, shared.list);
    __syncthreads();  // the list has been read
  }
}

// Launches for `rows` > 0; the context has the workspace of PartsForTopK.
template <class Finish>
void LaunchTopK(std::int64_t rows, std::int64_t cols, std::int64_t k, const float* x,
                const Finish& finish, const Context& context) {
  const TopKParts parts = PartsForTopK(rows, cols, k, context);
  const auto kernel = parts.staged ? TopKKernel<true, Finish> : TopKKernel<false, Finish>;
  const std::size_t shared_bytes = parts.SharedBytes();
  CheckCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared_bytes)),
            "cudaFuncSetAttribute");
  const std::int64_t most = 2L * context.gpu->limits().multiprocessors;
  const std::int64_t at_once = parts.parts == 1 ? std::min(rows, most) : rows;
  std::byte* const workspace = context.workspace.data();
  const TopKWork work{reinterpret_cast<std::uint64_t*>(workspace),
                      reinterpret_cast<std::uint32_t*>(workspace + parts.KeyBytes(rows)),
                      context.counters.data()};
  kernel<<<static_cast<unsigned>(at_once * parts.parts), kSelectThreads, shared_bytes,
           context.stream>>>(rows, cols, static_cast<int>(k), parts, x, work, finish);
}

}  // namespace kernels::cuda
