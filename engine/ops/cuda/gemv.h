// SPDX-License-Identifier: Apache-2.0
// gemv.h: one row of activations times a weight matrix, with what stands before and after it in a
// decoder: one kernel where a norm, a product, a bias and a sum would be four.
//
//   h = x, or x / sqrt(mean(x^2) + eps) * norm
//   kStore:  y[i] = weight[i,:] h + bias[i]        kAdd:  y[i] += weight[i,:] h + bias[i]
//   kSilu:   y[i] = silu(weight[i,:] h) (weight[i + n/2,:] h), i < n / 2
//
// weight: f32 or bf16 [n, k]; x: f32 [k]; f32 inside, by the plan and the sums of
// kernels/cuda/dot/dot_rows.cuh. The factor of the norm multiplies the finished sum, so that no
// thread waits for it before its first product. y may not overlap x. Nothing that is queued may
// still write the weight: its first rows are loaded while the kernel before runs.
#pragma once

#include "engine/ops/shapes.h"
#include "kernels/row.h"

namespace engine::cuda {

enum class GemvEnd : std::uint8_t { kStore, kAdd, kSilu };

struct RowProduct {
  const Weight* weight = nullptr;  // kSilu: without bias
  const float* x = nullptr;
  const float* norm = nullptr;  // f32 [k], or none
  float eps = 0;
  float* y = nullptr;
  GemvEnd end = GemvEnd::kStore;
};

// Whether RunGemv takes the weight: not MXFP4, and a row of x fits shared memory.
bool TakesGemv(const Weight& weight, const kernels::Context& context);

void RunGemv(const RowProduct& product, const kernels::Context& context);

}  // namespace engine::cuda
