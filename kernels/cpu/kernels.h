// SPDX-License-Identifier: Apache-2.0
// kernels.h: the function table that each instruction set level fills, and the choice of one.
#pragma once

#include <cstdint>

#include "kernels/convert.h"
#include "kernels/decode_attention.h"
#include "kernels/gemv.h"
#include "kernels/gemv_mxfp4.h"
#include "kernels/isa.h"
#include "kernels/residual_rmsnorm.h"
#include "kernels/rmsnorm.h"
#include "kernels/rope.h"
#include "kernels/silu_mul.h"
#include "kernels/softmax.h"
#include "kernels/stream.h"

namespace kernels::cpu {

// Arguments are checked before they come here.
struct Kernels {
  void (*copy)(const CopyArgs& args);
  void (*sum)(const SumArgs& args);
  void (*rmsnorm)(const RmsNormArgs& args);
  void (*residual_rmsnorm)(const ResidualRmsNormArgs& args);
  void (*softmax)(const SoftmaxArgs& args);
  void (*silu_mul)(const SiluMulArgs& args);
  void (*rope)(const RopeArgs& args, const std::int32_t* positions);
  void (*convert)(const ConvertArgs& args);
  void (*gemv)(const GemvArgs& args);
  void (*gemv_mxfp4)(const GemvMxfp4Args& args);
  void (*decode_attention)(const DecodeAttentionArgs& args);

  // The largest of x[0..count), -inf when all are NaN or count is 0.
  float (*max)(const float* x, std::int64_t count);
  // The first i in [from, count) with x[i] > threshold, or >= where `or_equal`; count when none.
  std::int64_t (*first_above)(const float* x, std::int64_t from, std::int64_t count,
                              float threshold, bool or_equal);
  // y[i] = exp(x[i]); for tests of the polynomial.
  void (*exp)(const float* x, float* y, std::int64_t count);
  // y[i] = a[i] * b[i] + c[i], rounded once; for tests of the emulation where there is no FMA.
  void (*fma)(const float* a, const float* b, const float* c, float* y, std::int64_t count);
};

extern const Kernels kGeneric;
#if KERNELS_X86
extern const Kernels kAvx2;
extern const Kernels kAvx512;
#endif

// `isa` must be at most BestIsa().
inline const Kernels& For([[maybe_unused]] Isa isa) {
#if KERNELS_X86
  if (isa == Isa::kAvx512) {
    return kAvx512;
  }
  if (isa == Isa::kAvx2) {
    return kAvx2;
  }
#endif
  return kGeneric;
}

}  // namespace kernels::cpu
