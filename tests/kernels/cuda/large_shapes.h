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

}  // namespace kernels::testing
