// SPDX-License-Identifier: Apache-2.0
// elementwise.h: bodies of silu_mul, rope and convert (contracts: the headers of kernels/)
#pragma once

#include "kernels/convert.h"
#include "kernels/cpu/exp.h"
#include "kernels/cpu/lanes.h"
#include "kernels/rope.h"
#include "kernels/silu_mul.h"

namespace kernels::cpu {

template <class S>
void SiluMul(const SiluMulArgs& args) {
  WithType<S>(args.shape.dtype, [&args]<class T>(T*) {
    const auto* gate = static_cast<const T*>(args.gate.data);
    const auto* up = static_cast<const T*>(args.up.data);
    auto* y = static_cast<T*>(args.y.data);
    ForLanes<S>(args.shape.rows * args.shape.cols, [=](std::int64_t i, auto part) {
      const auto g = S::Load(gate + i, part);
      const auto e = Exp<S>(S::NegativeAbs(g));
      const auto top = S::IfNegative(g, S::Mul(g, e), g);
      const auto silu = S::Div(top, S::Add(S::Set(1.0f), e));
      S::Store(y + i, S::Mul(silu, S::Load(up + i, part)), part);
    });
  });
}

template <class S>
void Rope(const RopeArgs& args, const std::int32_t* positions) {
  WithType<S>(args.shape.dtype, [&args, positions]<class T>(T*) {
    const std::int64_t half = args.shape.dim / 2;
    const auto* x = static_cast<const T*>(args.x.data);
    auto* y = static_cast<T*>(args.y.data);
    const auto* cos_table = static_cast<const float*>(args.cos.data);
    const auto* sin_table = static_cast<const float*>(args.sin.data);
    for (std::int64_t token = 0; token < args.shape.tokens; ++token) {
      const float* cos = cos_table + positions[token] * half;
      const float* sin = sin_table + positions[token] * half;
      for (std::int64_t head = 0; head < args.shape.heads; ++head) {
        ForLanes<S>(half, [=](std::int64_t i, auto part) {
          const auto a = S::Load(x + i, part);
          const auto b = S::Load(x + half + i, part);
          const auto c = S::Load(cos + i, part);
          const auto s = S::Load(sin + i, part);
          S::Store(y + i, S::Fnma(b, s, S::Mul(a, c)), part);
          S::Store(y + half + i, S::Fma(a, s, S::Mul(b, c)), part);
        });
        x += 2 * half;
        y += 2 * half;
      }
    }
  });
}

// Only moves bits: Load and Store do no arithmetic on NaN.
template <class S>
void Convert(const ConvertArgs& args) {
  if (args.shape.dtype == DType::kF32) {
    const auto* x = static_cast<const float*>(args.x.data);
    auto* y = static_cast<Bf16*>(args.y.data);
    ForLanes<S>(args.shape.count,
                [=](std::int64_t i, auto part) { S::Store(y + i, S::Load(x + i, part), part); });
  } else {
    const auto* x = static_cast<const Bf16*>(args.x.data);
    auto* y = static_cast<float*>(args.y.data);
    ForLanes<S>(args.shape.count,
                [=](std::int64_t i, auto part) { S::Store(y + i, S::Load(x + i, part), part); });
  }
}

}  // namespace kernels::cpu
