// SPDX-License-Identifier: Apache-2.0
// silu.cuh: silu(gate) * up in float32.
#pragma once

namespace kernels::cuda {

// gate / (1 + e^-gate) * up. The quotient is a product with a refined reciprocal: its divisor is
// between 1 and 2, or NaN.
__device__ __forceinline__ float SiluMul(float gate, float up) {
  const float e = expf(-fabsf(gate));
  const float top = signbit(gate) ? gate * e : gate;
  const float divisor = 1.0F + e;
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(divisor));
  r = fmaf(r, fmaf(-divisor, r, 1.0F), r);
  return top * r * up;
}

}  // namespace kernels::cuda
