// SPDX-License-Identifier: Apache-2.0
// large_shapes.h: shapes beyond problem.h's that reach every path of the CUDA kernels: rows that
// need several blocks or a loop, grids of more than one wave. Tried with uniform inputs only.
#pragma once

#include <vector>

#include "kernels/registry.h"

namespace kernels::testing {

template <class Args>
std::vector<typename Args::Shape> LargeShapes() {
  return {};
}

template <>
inline std::vector<RmsNormShape> LargeShapes<RmsNormArgs>() {
  return {{1000, 64}, {5, 2048}, {3, 4097}, {2, 8192}, {300, 5120}, {1, 16384}, {2, 65537}};
}

// Several steps per row, teams of 1, 4 and 16 warps, more rows than one pass of the grid, few rows
// in slices, x beyond shared memory.
template <>
inline std::vector<GemvShape> LargeShapes<GemvArgs>() {
  return {{896, 896},  {300, 4864}, {12000, 256}, {200, 12000}, {5, 40000},
          {1, 100000}, {9000, 136}, {140, 65},    {2048, 2048}, {600, 8192}};
}

template <>
inline std::vector<LogitsArgmaxShape> LargeShapes<LogitsArgmaxArgs>() {
  return {{12000, 256}, {5000, 896}, {200, 12000}, {5, 40000}, {1, 100000}, {9000, 65}};
}

// Chunks and waves, batches with lengths of their own, groups of more heads than a tile, one chunk.
template <>
inline std::vector<DecodeAttentionShape> LargeShapes<DecodeAttentionArgs>() {
  return {{1000, 32, 8, 64},
          {2000, 14, 2, 64},
          {1500, 8, 2, 128},
          {3000, 20, 1, 128},
          {777, 12, 4, 64, DType::kF32, 5, 1500},
          {640, 8, 8, 128, DType::kF32, 40, 640},
          {1100, 2, 1, 80},
          {2100, 3, 1, 7},
          {900, 4, 2, 256}};
}

}  // namespace kernels::testing
