// SPDX-License-Identifier: Apache-2.0
// silu_mul.h: y[i] = gate[i] / (1 + exp(-gate[i])) * up[i]
//
// gate, up, y: [rows, cols], all f32 or all bf16. rows, cols >= 0. y may be gate or up.
// float32 inside, rounded once to y. Negative gates use exp(gate) / (1 + exp(gate)), so large ones
// fade through the subnormals instead of dropping to 0. gate = -inf gives NaN, as the formula does.
// Moves 3 rows cols elements.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct SiluMulShape {
  std::int64_t rows = 0, cols = 0;
  DType dtype = DType::kF32;
};

struct SiluMulArgs {
  using Shape = SiluMulShape;
  Shape shape;
  ConstView gate, up;
  View y;
};

template <class In, class Out>
void VisitBuffers(SiluMulArgs& args, In&& in, Out&& out) {
  in("gate", args.gate);
  in("up", args.up);
  out("y", args.y);
}

void Check(const SiluMulArgs& args);
std::string Describe(const SiluMulShape& shape);
Cost CostOf(const SiluMulShape& shape);
std::string_view SiluMulSupports(const SiluMulShape& shape);
void SiluMulReference(const SiluMulArgs& args, const Context& context);
void SiluMulVector(const SiluMulArgs& args, const Context& context);

template <>
struct Table<SiluMulArgs> {
  static constexpr std::string_view op = "silu_mul";
  static constexpr std::array rows = {
      Row<SiluMulArgs>{"reference",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kF64,
                       &SiluMulSupports,
                       &SiluMulReference},
      Row<SiluMulArgs>{"vector",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kLanes,
                       &SiluMulSupports,
                       &SiluMulVector},
  };
};

}  // namespace kernels
