// SPDX-License-Identifier: Apache-2.0
// gemm.h: c[m,n] = sum_k a[m,k] * weight[n,k]
//
// a: [m, k]; weight: [n, k], as a linear layer stores it; c: [m, n]; all f32. m, n >= 0, k >= 1.
// c may not overlap a or weight.
// `reference`: float64 inside, k in order, blocked over m and n so that weights are read from the
// cache. `blas`: OpenBLAS, which orders the sum its own way and is held to one thread (this sets
// OpenBLAS's count for the whole process); present where the build found it.
// 2 m n k floating-point operations; moves m k + n k + m n f32.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct GemmShape {
  std::int64_t m = 0, n = 0, k = 0;
  DType dtype = DType::kF32;
};

struct GemmArgs {
  using Shape = GemmShape;
  Shape shape;
  ConstView a, weight;
  View c;
};

void Check(const GemmArgs& args);
std::string_view GemmSupports(const GemmShape& shape);
std::string_view GemmBlasSupports(const GemmShape& shape);
void GemmReference(const GemmArgs& args, const Context& context);
void GemmBlas(const GemmArgs& args, const Context& context);

template <>
struct Table<GemmArgs> {
  static constexpr std::string_view op = "gemm";
  static constexpr std::array rows = {
      Row<GemmArgs>{"reference",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32},
                    Numerics::kF64,
                    &GemmSupports,
                    &GemmReference},
      Row<GemmArgs>{"blas",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32},
                    Numerics::kBlas,
                    &GemmBlasSupports,
                    &GemmBlas},
  };
};

}  // namespace kernels
