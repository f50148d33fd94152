// SPDX-License-Identifier: Apache-2.0
// kernel_cases.h: the shapes at which each op is timed, and their arguments
//
// Shapes are projections and activations of Llama-1B (hidden 2048, 32 / 8 heads x 64, feed-forward
// 8192, vocabulary 128256), Llama-8B (hidden 4096) and Qwen-0.5B (hidden 896, 14 / 2 heads x 64,
// feed-forward 4864), cut where a call would pass 3 ms, and one odd shape per kind of loop.
#pragma once

#include <vector>

#include "kernels/registry.h"
#include "suites/cpu/pool.h"

namespace suites {

template <class Shape>
struct Case {
  Shape shape;
  bool small = false;  // `reference` is timed here too, not only the fast implementations
};

template <class Args>
std::vector<Case<typename Args::Shape>> Cases();

// Arguments on the pool's memory, valid until Rewind.
template <class Args>
Args Bind(const typename Args::Shape& shape, Pool& pool);

}  // namespace suites
