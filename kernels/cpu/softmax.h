// SPDX-License-Identifier: Apache-2.0
// softmax.h: body of softmax (contract: kernels/softmax.h)
//
// f32 stores the exponentials into y and scales them there. In bf16 that would round them before
// the division, so they go to a float32 buffer, and past its end are computed twice.
#pragma once

#include "kernels/cpu/exp.h"
#include "kernels/cpu/lanes.h"
#include "kernels/softmax.h"

namespace kernels::cpu {

// The largest of x[0..count), NaN ignored; -inf when there is none.
template <class S, class T>
float MaxOf(const T* x, std::int64_t count) {
  using V = typename S::V;
  const V lowest = S::Set(-kInfinity);
  V acc[kAccumulators] = {lowest, lowest, lowest, lowest};
  Accumulate<S>(count, acc, [x](V a, std::int64_t i, auto part) {
    return S::Max(S::Fill(S::Load(x + i, part), part, -kInfinity), a);
  });
  return S::MaxOf(S::Max(S::Max(acc[0], acc[1]), S::Max(acc[2], acc[3])));
}

// Exponentials of a bf16 row that are kept between its passes: 32 KiB of float32.
inline constexpr std::int64_t kKept = 8192;

template <class S>
void SoftmaxRow(const float* x, float* y, std::int64_t cols) {
  using V = typename S::V;
  const V max = S::Set(MaxOf<S>(x, cols));
  V acc[kAccumulators] = {S::Set(0), S::Set(0), S::Set(0), S::Set(0)};
  Accumulate<S>(cols, acc, [=](V a, std::int64_t i, auto part) {
    const V e = Exp<S>(S::Sub(S::Load(x + i, part), max));
    S::Store(y + i, e, part);
    return S::Add(a, S::Fill(e, part, 0.0f));
  });
  const V inverse = S::Set(1.0f / SumOf<S>(acc));
  ForLanes<S>(cols, [=](std::int64_t i, auto part) {
    S::Store(y + i, S::Mul(S::Load(y + i, part), inverse), part);
  });
}

template <class S>
void SoftmaxRow(const Bf16* x, Bf16* y, std::int64_t cols) {
  using V = typename S::V;
  alignas(64) float kept[kKept];
  const V max = S::Set(MaxOf<S>(x, cols));
  V acc[kAccumulators] = {S::Set(0), S::Set(0), S::Set(0), S::Set(0)};
  Accumulate<S>(cols, acc, [=, &kept](V a, std::int64_t i, auto part) {
    const V e = Exp<S>(S::Sub(S::Load(x + i, part), max));
    if (i < kKept) {
      S::Store(kept + i, e, All{});
    }
    return S::Add(a, S::Fill(e, part, 0.0f));
  });
  const V inverse = S::Set(1.0f / SumOf<S>(acc));
  ForLanes<S>(cols, [=, &kept](std::int64_t i, auto part) {
    const V e = i < kKept ? S::Load(kept + i, All{}) : Exp<S>(S::Sub(S::Load(x + i, part), max));
    S::Store(y + i, S::Mul(e, inverse), part);
  });
}

template <class S>
void Softmax(const SoftmaxArgs& args) {
  WithType<S>(args.shape.dtype, [&args]<class T>(T*) {
    const auto* x = static_cast<const T*>(args.x.data);
    auto* y = static_cast<T*>(args.y.data);
    const std::int64_t cols = args.shape.cols;
    for (std::int64_t row = 0; row < args.shape.rows; ++row) {
      SoftmaxRow<S>(x + row * cols, y + row * cols, cols);
    }
  });
}

}  // namespace kernels::cpu
