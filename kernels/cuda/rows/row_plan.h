// SPDX-License-Identifier: Apache-2.0
// row_plan.h: who works on a row of an op that keeps rows in registers (rmsnorm, softmax)
//
// A row is `groups` accesses of a thread long. With many rows a thread has 2 to 8 of them in flight
// and blocks are small, so that an SM holds several in different phases. With few rows, the
// shortest way through one counts: fewer accesses per thread, and several SMs for a long row.
#pragma once

#include <cstdint>

#include "kernels/cuda/runtime/gpu.h"

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

// Many rows of up to `short_groups` have two accesses per thread, longer ones four: on an H100
// rmsnorm of 16384 rows of 1024 groups takes 175.4 us with two and 177.0 with four,
// residual_rmsnorm 355.7 and 358.6, but softmax of 8192 such rows of f32 90.3 and 89.6.
RowPlan PlanRows(std::int64_t rows, std::int64_t groups, const GpuLimits& limits,
                 std::int64_t short_groups = 1024);

}  // namespace kernels::cuda
