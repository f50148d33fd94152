// SPDX-License-Identifier: Apache-2.0
// row_place.cuh: which row, and which part of it, a thread of a kernel that keeps rows in registers
// has (row_plan.h).
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "kernels/cuda/rows/row_plan.h"
#include "kernels/cuda/runtime/reduce.cuh"

namespace kernels::cuda {

struct RowPlace {
  std::int64_t row;
  int threads, thread;  // that share the row within a block
  int begin;            // first group of the block's part of the row
};

// kPer groups per thread. A block has blockDim / 32 rows (kWarp), one (kBlock) or the part of one
// that its rank in the cluster says (kCluster; the block has then arrived at its cluster). False
// where the row is past the last.
template <RowScope kScope, int kPer>
__device__ __forceinline__ bool FindRow(std::int64_t rows, RowPlace* place) {
  place->threads = kScope == RowScope::kWarp ? kWarp : static_cast<int>(blockDim.x);
  place->thread = static_cast<int>(threadIdx.x) % place->threads;
  place->row = blockIdx.x;
  place->begin = 0;
  if constexpr (kScope == RowScope::kWarp) {
    place->row = place->row * (blockDim.x / kWarp) + threadIdx.x / kWarp;
    return place->row < rows;
  }
  if constexpr (kScope == RowScope::kCluster) {
    ArriveAtCluster();
#if __CUDA_ARCH__ >= 900
    const auto cluster = cooperative_groups::this_cluster();
    place->row /= cluster.num_blocks();
    place->begin = static_cast<int>(cluster.block_rank()) * place->threads * kPer;
#endif
  }
  return true;
}

}  // namespace kernels::cuda
