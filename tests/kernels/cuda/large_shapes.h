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

template <>
inline std::vector<ArgmaxShape> LargeShapes<ArgmaxArgs>() {
  return {{1, 128256}, {1, 151936}, {3, 32003}, {8, 128256}, {300, 4099}, {1200, 1025}};
}

// One part and several, parts in shared memory and not, lists that are selected from again.
template <>
inline std::vector<TopKShape> LargeShapes<TopKArgs>() {
  return {{1, 128256, 50},  {1, 151936, 1},  {2, 151936, 1024}, {3, 32003, 64},  {1, 128256, 20},
          {1, 500009, 200}, {300, 4099, 40}, {530, 2050, 1000}, {3, 4097, 1024}, {270, 30001, 7}};
}

template <>
inline std::vector<SampleShape> LargeShapes<SampleArgs>() {
  return {{1, 128256, 50}, {2, 151936, 1024}, {300, 4099, 40}};
}

}  // namespace kernels::testing
