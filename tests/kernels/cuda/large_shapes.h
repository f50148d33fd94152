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

}  // namespace kernels::testing
