// SPDX-License-Identifier: Apache-2.0
// table.h: instantiates every body for one kind of lanes. Included once per level.
#pragma once

#include "kernels/cpu/attention.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/exp.h"
#include "kernels/cpu/gemv.h"
#include "kernels/cpu/gemv_mxfp4.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/lanes.h"
#include "kernels/cpu/norm.h"
#include "kernels/cpu/softmax.h"
#include "kernels/cpu/stream.h"

namespace kernels::cpu {

template <class S>
void ExpEach(const float* x, float* y, std::int64_t count) {
  ForLanes<S>(count, [=](std::int64_t i, auto part) {
    S::Store(y + i, Exp<S>(S::Load(x + i, part)), part);
  });
}

template <class S>
void FmaEach(const float* a, const float* b, const float* c, float* y, std::int64_t count) {
  ForLanes<S>(count, [=](std::int64_t i, auto part) {
    const auto product = S::Fma(S::Load(a + i, part), S::Load(b + i, part), S::Load(c + i, part));
    S::Store(y + i, product, part);
  });
}

template <class S>
constexpr Kernels MakeKernels() {
  return {
      .copy = &Copy<S>,
      .sum = &Sum<S>,
      .rmsnorm = &RmsNorm<S>,
      .residual_rmsnorm = &ResidualRmsNorm<S>,
      .softmax = &Softmax<S>,
      .silu_mul = &SiluMul<S>,
      .rope = &Rope<S>,
      .convert = &Convert<S>,
      .gemv = &Gemv<S>,
      .gemv_mxfp4 = &GemvMxfp4<S>,
      .decode_attention = &DecodeAttention<S>,
      .max = &Max<S>,
      .first_above = &FirstAbove<S>,
      .exp = &ExpEach<S>,
      .fma = &FmaEach<S>,
  };
}

}  // namespace kernels::cpu
