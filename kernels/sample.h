// SPDX-License-Identifier: Apache-2.0
// sample.h: ids[m] = a column drawn at random from softmax(logits[m,:] / temperature), cut to the
// k likeliest columns and then to the top_p likeliest mass
//
// logits: f32 [rows, cols]; ids, probability: [rows]. rows >= 0, 1 <= k <= min(cols, 1024),
// cols < 2^31, temperature > 0 and finite, 0 < top_p <= 1. For each row, in float64 throughout:
//  1. The candidates are the k largest logits in the order of top_k.h: largest first, the lower
//     column first on ties, NaN last.
//  2. weight[i] = e^((logit[i] - logit[0]) / temperature), 0 where that is below e^-708 or the
//  logit
//     is NaN. Where logit[0] is +inf, each +inf weighs 1 and everything else 0.
//  3. mass[i] = weight[0] + ... + weight[i], added in groups of 32: the sum of the groups before,
//     which are added in order, plus the sum within the group, also in order.
//  4. The nucleus are the first n candidates, with the least n such that
//     mass[n-1] >= top_p mass[k-1].
//  5. u in [0, 1) is PhiloxUniform(seed, step, m) of philox.h. The first candidate with
//     mass[i] > u mass[n-1] is drawn; its probability is weight[i] / mass[n-1], rounded to f32.
// A row whose largest logit is -inf, or that is NaN alone, has no distribution: id 0, probability
// NaN. Every implementation draws the same columns, on every device.
// Moves rows cols f32 once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct SampleShape {
  std::int64_t rows = 0, cols = 0, k = 0;
  DType dtype = DType::kF32;
};

struct SampleArgs {
  using Shape = SampleShape;
  Shape shape;
  float temperature = 1;
  float top_p = 1;
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  ConstView logits;
  std::span<std::int32_t> ids;
  std::span<float> probability;
};

template <class In, class Out>
void VisitBuffers(SampleArgs& args, In&& in, Out&& out) {
  in("logits", args.logits);
  out("ids", args.ids);
  out("probability", args.probability);
}

void Check(const SampleArgs& args);
std::string Describe(const SampleShape& shape);
Cost CostOf(const SampleShape& shape);
std::string_view SampleSupports(const SampleShape& shape);
void SampleReference(const SampleArgs& args, const Context& context);
void SampleVector(const SampleArgs& args, const Context& context);

template <>
struct Table<SampleArgs> {
  static constexpr std::string_view op = "sample";
  static constexpr std::array rows = {
      Row<SampleArgs>{"reference",
                      Device::kCpu,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &SampleSupports,
                      &SampleReference},
      // The candidates by top_k's `vector`.
      Row<SampleArgs>{"vector",
                      Device::kCpu,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &SampleSupports,
                      &SampleVector},
  };
};

}  // namespace kernels
