// SPDX-License-Identifier: Apache-2.0
// row_plan.h: who works on a row of an op that keeps rows in registers (rmsnorm, softmax)
//
// A row is `groups` accesses of a thread long. With many rows a thread has 2 to 8 of them in flight
// and blocks are small, so that an SM holds several in different phases. With few rows, the
// shortest way through one counts: fewer accesses per thread, and several SMs for a long row.
#pragma once

#include <cstdint>

#include "kernels/cuda/gpu.h"

namespace kernels::cuda {

enum class RowScope : std::uint8_t {
  kWarp,       // a row per warp, rows_per_block of them in a block
  kBlock,      // a row per block
  kCluster,    // a row per `cluster` blocks
  kTwoPasses,  // a row per block, too long for registers
};

struct RowPlan {
  RowScope scope = RowScope::kBlock;
  int threads = 0;  // of a block, a multiple of 32
  int per = 1;      // groups of a thread: 1, 2, 4 or 8
  int cluster = 1;
  int rows_per_block = 1;
  bool few_rows = false;
};

inline constexpr int kMaxRowCluster = 16;

RowPlan PlanRows(std::int64_t rows, std::int64_t groups, const GpuLimits& limits);

}  // namespace kernels::cuda
