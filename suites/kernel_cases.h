// SPDX-License-Identifier: Apache-2.0
// kernel_cases.h: the shapes at which each op is timed
//
// Shapes are those of Llama-1B (hidden 2048, 32 / 8 heads x 64, feed-forward 8192, vocabulary
// 128256), Llama-8B (hidden 4096, 32 / 8 heads x 128, feed-forward 14336), Qwen-0.5B (hidden 896,
// 14 / 2 heads x 64, feed-forward 4864, vocabulary 151936) and Qwen-7B (hidden 3584, feed-forward
// 18944), and one odd shape per kind of loop. On the CPU they are cut where a call would pass 3 ms.
// On a GPU there are two classes: `stream`, whose cold bytes pass 64 MB, and `decode`, most of them
// with one token.
#pragma once

#include <vector>

#include "kernels/registry.h"

namespace suites {

template <class Shape>
struct CpuCase {
  Shape shape;
  bool small = false;  // `reference` is timed here too, not only the fast implementations
};

template <class Args>
struct Cases {
  std::vector<CpuCase<typename Args::Shape>> cpu;
  std::vector<typename Args::Shape> cuda;
};

template <class Args>
Cases<Args> CasesOf();

}  // namespace suites
