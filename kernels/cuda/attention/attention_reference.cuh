// SPDX-License-Identifier: Apache-2.0
// attention_reference.cuh: what the formula of decode_attention says, and nothing else.
#pragma once

#include <cmath>

#include "kernels/cuda/attention/attention_parts.cuh"
#include "kernels/cuda/runtime/element.cuh"

namespace kernels::cuda {

// One block per row and query head: all scores, their maximum, all weights, their sum, then one
// thread per element of the output. `most`: slots that a head has room for in all_weights.
template <class T>
__global__ void ReferenceKernel(AttentionWork work, float scale, double* all_weights,
                                std::int64_t most) {
  const std::int64_t head = blockIdx.x % work.heads;
  const std::int64_t row = blockIdx.x / work.heads;
  const std::int64_t kv_head = head / work.group;
  const std::int64_t length = LengthOf(work, row);
  const std::int64_t start = CacheOf(work, row) * work.capacity;
  const T* const k = static_cast<const T*>(work.k);
  const T* const v = static_cast<const T*>(work.v);
  const float* const query = work.q + row * work.q_row + head * work.dim;
  float* const result = work.out + static_cast<std::int64_t>(blockIdx.x) * work.dim;
  const bool valid = length >= 1 && length <= most;
  const auto at = [&](std::int64_t slot) {
    return ((start + slot) * work.kv_heads + kv_head) * work.dim;
  };
  double* const weights = all_weights + blockIdx.x * most;
  for (std::int64_t slot = threadIdx.x; valid && slot < length; slot += blockDim.x) {
    double score = 0;
    for (int d = 0; d < work.dim; ++d) {
      score += static_cast<double>(query[d]) * static_cast<double>(ToFloat(k[at(slot) + d]));
    }
    weights[slot] = score * static_cast<double>(scale);
  }
  __syncthreads();
  __shared__ double max, total;
  if (threadIdx.x == 0 && valid) {
    max = -INFINITY;
    for (std::int64_t slot = 0; slot < length; ++slot) {
      max = fmax(max, weights[slot]);
    }
    total = 0;
    for (std::int64_t slot = 0; slot < length; ++slot) {
      weights[slot] = exp(weights[slot] - max);
      total += weights[slot];
    }
  }
  __syncthreads();
  for (int d = static_cast<int>(threadIdx.x); d < work.dim; d += static_cast<int>(blockDim.x)) {
    double sum = 0;
    for (std::int64_t slot = 0; valid && slot < length; ++slot) {
      sum += weights[slot] * static_cast<double>(ToFloat(v[at(slot) + d]));
    }
    result[d] = valid ? static_cast<float>(sum / total) : __int_as_float(0x7fffffff);
  }
}

}  // namespace kernels::cuda
