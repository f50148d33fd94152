// SPDX-License-Identifier: Apache-2.0
// cpu_hf_exact.h: the CPU ops with the roundings to bf16 that transformers' eager code makes.
//
// Where a bf16 model holds a tensor, its values are rounded here (and kept as f32):
//   rmsnorm     x / rms in f32, rounded; times the weight, rounded
//   linear      product and bias in f32, rounded once
//   rope        cos and sin rounded; each product rounded; their sum rounded
//   attention   q k rounded, times the scale rounded; softmax in f32, rounded; times v, rounded
//   silu_mul    silu in f32, rounded; times up, rounded
//   residual    rounded after each addition
// Made to compare, not to be fast: attention allocates its weights.
// For numerics=hf_exact on bf16 weights; a model of f32 weights has no such roundings.
#pragma once

#include "engine/ops/cpu/cpu_ops.h"

namespace engine {

class CpuHfExactOps : public CpuOps {
 public:
  using CpuOps::CpuOps;

  nlohmann::ordered_json Describe() const override;
  void RmsNorm(Rows x, ConstView weight, float eps, Rows y) override;
  void SiluMul(Rows gate_up, Rows y) override;
  void Add(Rows x, Rows sum) override;

 protected:
  void FinishProduct(std::span<float> y) const override;
  void RotateRow(const AttentionShape& shape, const RopeTable& table, std::int32_t position,
                 float* qk) const override;
  void AttendHead(const AttentionShape& shape, const HeadTask& task) const override;
};

}  // namespace engine
