// SPDX-License-Identifier: Apache-2.0
// exp.h: e^x in float32 lanes, within 1 ulp, the same bits at every level
//
// x = n ln 2 + r with |r| <= ln 2 / 2 (Cody and Waite: ln 2 in two parts), then
// e^r = 1 + r + r^2 q(r), q a minimax polynomial of degree 4 for the relative error of e^r
// (2^-27.9 with these float coefficients), then a product with 2^n that rounds once, so that
// results fade through the subnormals. e^0 = 1 exactly; -inf gives 0, +inf gives +inf, NaN stays
// NaN.
#pragma once

#include "kernels/cpu/lanes.h"

namespace kernels::cpu {

template <class S>
typename S::V Exp(typename S::V x) {
  using V = typename S::V;
  // Beyond these every result is 0 or +inf. NaN passes: Max and Min return the second operand.
  x = S::Min(S::Set(89.0f), S::Max(S::Set(-104.0f), x));
  const V shifted = S::Fma(x, S::Set(1.44269502f), S::Set(kRoundShift));
  const V n = S::Sub(shifted, S::Set(kRoundShift));
  V r = S::Fnma(n, S::Set(0x1.62e4p-1f), x);
  r = S::Fnma(n, S::Set(1.42860677e-06f), r);

  V p = S::Set(0.00138145988f);
  p = S::Fma(p, r, S::Set(0.00836871658f));
  p = S::Fma(p, r, S::Set(0.041668389f));
  p = S::Fma(p, r, S::Set(0.166665211f));
  p = S::Fma(p, r, S::Set(0.49999994f));
  p = S::Fma(p, r, S::Set(1.0f));
  p = S::Fma(p, r, S::Set(1.0f));
  return S::ScaleByPowerOf2(p, n, shifted);
}

}  // namespace kernels::cpu
