// SPDX-License-Identifier: Apache-2.0
// norm.h: bodies of rmsnorm and residual_rmsnorm (contracts: rmsnorm.h, residual_rmsnorm.h)
//
// Two passes over a row: the sum of squares reads it, the product finds it in the first-level
// cache.
#pragma once

#include "kernels/cpu/lanes.h"
#include "kernels/residual_rmsnorm.h"
#include "kernels/rmsnorm.h"

namespace kernels::cpu {

template <class S>
double ToDouble(float x) {
  return static_cast<double>(x);
}

template <class S>
double ToDouble(Bf16 x) {
  return static_cast<double>(__builtin_bit_cast(float, static_cast<std::uint32_t>(x.bits) << 16));
}

// For squares that overflow float32: plain float64, in order.
template <class S, class T>
double SumOfSquaresWide(const T* x, std::int64_t cols) {
  double sum = 0;
  for (std::int64_t i = 0; i < cols; ++i) {
    const double value = ToDouble<S>(x[i]);
    sum += value * value;
  }
  return sum;
}

template <class S, class T>
float InverseRms(const T* x, std::int64_t cols, float eps) {
  typename S::V acc[kAccumulators] = {S::Set(0), S::Set(0), S::Set(0), S::Set(0)};
  Accumulate<S>(cols, acc, [x](typename S::V a, std::int64_t i, auto part) {
    const auto v = S::Load(x + i, part);
    return S::Fma(v, v, a);
  });
  const auto n = static_cast<double>(cols);
  auto sum = static_cast<double>(SumOf<S>(acc));
  // Squares lost to underflow do not matter: they are below 2^-150 each, and eps is at least
  // 2^-126. NaN takes this way too and stays NaN.
  if (!(sum <= 0x1p127)) {
    sum = SumOfSquaresWide<S>(x, cols);
  }
  return static_cast<float>(1.0 / __builtin_sqrt(sum / n + static_cast<double>(eps)));
}

template <class S, class T>
void RmsNormRow(const T* x, const T* weight, T* y, std::int64_t cols, float eps) {
  const auto inverse = S::Set(InverseRms<S>(x, cols, eps));
  ForLanes<S>(cols, [=](std::int64_t i, auto part) {
    const auto normal = S::Mul(S::Load(x + i, part), inverse);
    S::Store(y + i, S::Mul(normal, S::Load(weight + i, part)), part);
  });
}

template <class S>
void RmsNorm(const RmsNormArgs& args) {
  WithType<S>(args.shape.dtype, [&args]<class T>(T*) {
    const auto* x = static_cast<const T*>(args.x.data);
    const auto* weight = static_cast<const T*>(args.weight.data);
    auto* y = static_cast<T*>(args.y.data);
    const std::int64_t cols = args.shape.cols;
    for (std::int64_t row = 0; row < args.shape.rows; ++row) {
      RmsNormRow<S>(x + row * cols, weight, y + row * cols, cols, args.eps);
    }
  });
}

template <class S>
void ResidualRmsNorm(const ResidualRmsNormArgs& args) {
  WithType<S>(args.shape.dtype, [&args]<class T>(T*) {
    const auto* x = static_cast<const T*>(args.x.data);
    const auto* residual = static_cast<const T*>(args.residual.data);
    const auto* weight = static_cast<const T*>(args.weight.data);
    auto* sum = static_cast<T*>(args.sum.data);
    auto* y = static_cast<T*>(args.y.data);
    const std::int64_t cols = args.shape.cols;
    for (std::int64_t row = 0; row < args.shape.rows; ++row) {
      const std::int64_t at = row * cols;
      ForLanes<S>(cols, [=](std::int64_t i, auto part) {
        S::Store(sum + at + i, S::Add(S::Load(x + at + i, part), S::Load(residual + at + i, part)),
                 part);
      });
      RmsNormRow<S>(sum + at, weight, y + at, cols, args.eps);
    }
  });
}

}  // namespace kernels::cpu
