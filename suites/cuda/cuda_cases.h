// SPDX-License-Identifier: Apache-2.0
// cuda_cases.h: the shapes at which each op is timed on a GPU, and their arguments
//
// Two classes of shapes: `stream`, whose cold bytes pass 64 MB, and `decode`, most of them with one
// token. Shapes are those of Llama-1B (hidden 2048, 32 / 8 heads x 64, feed-forward 8192,
// vocabulary 128256), Llama-8B (hidden 4096, 32 / 8 heads x 128, feed-forward 14336), Qwen-0.5B
// (hidden 896, 14 / 2 heads x 64, feed-forward 4864, vocabulary 151936) and Qwen-7B (hidden 3584,
// feed-forward 18944), and one odd shape per kind of loop.
#pragma once

#include <vector>

#include "kernels/registry.h"
#include "suites/cuda/device_pool.h"

namespace suites {

template <class Args>
std::vector<typename Args::Shape> CudaCases();

// Arguments on the pool's memory, valid until Rewind. What a model keeps in the cache between calls
// (activations of one token, tables) is taken from `first`, the first call's arguments, where there
// is one; everything else is new memory.
template <class Args>
Args BindCuda(const typename Args::Shape& shape, DevicePool& pool, const Args* first);

}  // namespace suites
