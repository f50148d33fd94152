// SPDX-License-Identifier: Apache-2.0
#include "kernels/sample.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "kernels/describe.h"
#include "kernels/sample_draw.h"
#include "kernels/top_k.h"

namespace kernels {
namespace {

void Sample(const SampleArgs& args, const Context& context,
            void (*top_k)(const TopKArgs&, const Context&)) {
  const auto& [rows, cols, k, dtype] = args.shape;
  const auto places = static_cast<std::size_t>(k);
  std::vector<std::int32_t> columns(places);
  std::vector<float> values(places);
  std::vector<double> masses(places);
  std::uint8_t ok = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* x = static_cast<const float*>(args.logits.data) + row * cols;
    top_k({.shape = {1, cols, k, dtype},
           .x = {x, static_cast<std::size_t>(cols), dtype},
           .ids = columns,
           .values = values,
           .ok = {&ok, 1}},
          context);
    const auto at = static_cast<std::size_t>(row);
    if (!HasDistribution(values[0])) {
      args.ids[at] = 0;
      args.probability[at] = std::numeric_limits<float>::quiet_NaN();
      continue;
    }
    const Draw draw = DrawInOrder(
        {args.temperature, args.top_p, args.seed, args.step}, row, static_cast<int>(k),
        [&](int i) { return values[static_cast<std::size_t>(i)]; }, masses.data());
    args.ids[at] = columns[static_cast<std::size_t>(draw.place)];
    args.probability[at] = draw.probability;
  }
}

}  // namespace

void Check(const SampleArgs& args) {
  constexpr auto kOp = Table<SampleArgs>::op;
  const std::size_t rows = Elements(kOp, {args.shape.rows});
  const std::size_t all = Elements(kOp, {args.shape.rows, args.shape.cols});
  CheckView(kOp, "logits", args.logits, all, args.shape.dtype);
  if (args.ids.size() < rows || args.probability.size() < rows) {
    throw Error("sample: ids and probability need " + std::to_string(rows) + " elements");
  }
  CheckOverlap(kOp, View(args.probability), rows, args.logits, all, false);
  if (!(args.temperature > 0) || std::isinf(args.temperature)) {
    throw Error("sample: temperature is " + std::to_string(args.temperature) +
                ", expected a finite number above 0");
  }
  if (!(args.top_p > 0 && args.top_p <= 1)) {
    throw Error("sample: top_p is " + std::to_string(args.top_p) +
                ", expected a number above 0 and at most 1");
  }
}

std::string_view SampleSupports(const SampleShape& shape) {
  return TopKSupports({shape.rows, shape.cols, shape.k, shape.dtype});
}

void SampleReference(const SampleArgs& args, const Context& context) {
  Sample(args, context, &TopKReference);
}

void SampleVector(const SampleArgs& args, const Context& context) {
  Sample(args, context, &TopKVector);
}

std::string Describe(const SampleShape& s) {
  return JoinSizes({{"rows", s.rows}, {"cols", s.cols}, {"k", s.k}}, Name(s.dtype));
}

Cost CostOf(const SampleShape& s) { return {Product({s.rows, s.cols}) * ByteCount(s.dtype), 0}; }

}  // namespace kernels
