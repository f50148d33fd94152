// SPDX-License-Identifier: Apache-2.0
// gemm.h: c[b,m,n] = sum_k a[m,k] * weight[b,n,k]
//
// a: [m, k]; weight: [batch, n, k], as linear layers store them; c: [batch, m, n]; all f32 or all
// bf16. m, n >= 0, k, batch >= 1. A batch shares its a, as the gate and up projections of a
// feed-forward layer do. c may not overlap a or weight.
// Products and sums are at least float32; c is rounded once. TF32 is not used.
// `reference`: float64 inside, k in order, blocked over m and n so that weights are read from the
// cache. `blas`: f32, OpenBLAS, which orders the sum its own way and is held to one thread (this
// sets OpenBLAS's count for the whole process); present where the build found it.
// 2 batch m n k floating-point operations; moves m k + batch (n k + m n) elements.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct GemmShape {
  std::int64_t m = 0, n = 0, k = 0;
  DType dtype = DType::kF32;
  std::int64_t batch = 1;
};

struct GemmArgs {
  using Shape = GemmShape;
  Shape shape;
  ConstView a, weight;
  View c;
};

template <class In, class Out>
void VisitBuffers(GemmArgs& args, In&& in, Out&& out) {
  in("a", args.a);
  in("weight", args.weight);
  out("c", args.c);
}

void Check(const GemmArgs& args);
std::string Describe(const GemmShape& shape);
Cost CostOf(const GemmShape& shape);
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
                    {DType::kF32, DType::kBf16},
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
