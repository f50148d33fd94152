// SPDX-License-Identifier: Apache-2.0
// host_device.h: float64 arithmetic that gives the same bits on the CPU and on a GPU
//
// One IEEE operation per call, round to nearest even, so that no compiler can fuse two of them.
#pragma once

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define KERNELS_HOST_DEVICE __host__ __device__
#else
#define KERNELS_HOST_DEVICE
#endif

namespace kernels::exact {

KERNELS_HOST_DEVICE inline double Add(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

KERNELS_HOST_DEVICE inline double Multiply(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

KERNELS_HOST_DEVICE inline double Divide(double a, double b) {
#ifdef __CUDA_ARCH__
  return __ddiv_rn(a, b);
#else
  return a / b;
#endif
}

// a b + c, rounded once.
KERNELS_HOST_DEVICE inline double MultiplyAdd(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

KERNELS_HOST_DEVICE inline std::int64_t BitsOf(double value) {
#ifdef __CUDA_ARCH__
  return __double_as_longlong(value);
#else
  return __builtin_bit_cast(std::int64_t, value);
#endif
}

KERNELS_HOST_DEVICE inline double DoubleOf(std::int64_t bits) {
#ifdef __CUDA_ARCH__
  return __longlong_as_double(bits);
#else
  return __builtin_bit_cast(double, bits);
#endif
}

// e^x for x <= 0, within 2 units in the last place; 0 below -708, where the result would leave the
// normal range, and for NaN.
KERNELS_HOST_DEVICE inline double ExpOfNegative(double x) {
  if (!(x >= -708.0)) {
    return 0.0;
  }
  // x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 x 2^52 rounds to an integer and leaves it in
  // the low bits. ln 2 is in two parts, so that n times the first is exact.
  constexpr double kRound = 0x1.8p52;
  const double shifted = MultiplyAdd(x, 0x1.71547652b82fep0, kRound);
  const double n = Add(shifted, -kRound);
  double r = MultiplyAdd(n, -0x1.62e42fee00000p-1, x);
  r = MultiplyAdd(n, -0x1.a39ef35793c76p-33, r);
  // Taylor's series: its first term left out is below 2^-57 of the result.
  constexpr double kInverseFactorials[] = {1.0,
                                           1.0,
                                           1.0 / 2,
                                           1.0 / 6,
                                           1.0 / 24,
                                           1.0 / 120,
                                           1.0 / 720,
                                           1.0 / 5040,
                                           1.0 / 40320,
                                           1.0 / 362880,
                                           1.0 / 3628800,
                                           1.0 / 39916800,
                                           1.0 / 479001600,
                                           1.0 / 6227020800};
  double sum = kInverseFactorials[13];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = 12; i >= 0; --i) {
    sum = MultiplyAdd(sum, r, kInverseFactorials[i]);
  }
  return Multiply(sum, DoubleOf((BitsOf(shifted) - BitsOf(kRound) + 1023) << 52));
}

}  // namespace kernels::exact
