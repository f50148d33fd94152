// SPDX-License-Identifier: Apache-2.0
#include "kernels/logits_argmax.h"

#include <cmath>
#include <limits>

#include "kernels/check.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const LogitsArgmaxArgs& args) {
  constexpr auto kOp = Table<LogitsArgmaxArgs>::op;
  const std::size_t k = Elements(kOp, {args.shape.k});
  const std::size_t all = Elements(kOp, {args.shape.vocab, args.shape.k});
  CheckView(kOp, "weight", args.weight, all, args.shape.dtype);
  CheckView(kOp, "x", args.x, k, DType::kF32);
  CheckView(kOp, "value", args.value, 1, DType::kF32);
  if (args.ids.empty() || args.ok.empty()) {
    throw Error("logits_argmax: ids and ok need 1 element");
  }
  CheckOverlap(kOp, args.value, 1, args.weight, all, false);
  CheckOverlap(kOp, args.value, 1, args.x, k, false);
}

std::string_view LogitsArgmaxSupports(const LogitsArgmaxShape& shape) {
  if (shape.vocab < 1 || shape.vocab > std::numeric_limits<std::int32_t>::max()) {
    return "vocab must be at least 1 and fit 31 bits";
  }
  return shape.k < 1 ? "k must be at least 1" : "";
}

void LogitsArgmaxReference(const LogitsArgmaxArgs& args, const Context&) {
  float best = std::numeric_limits<float>::quiet_NaN();
  std::int64_t id = 0;
  for (std::int64_t row = 0; row < args.shape.vocab; ++row) {
    double sum = 0;
    for (std::int64_t i = 0; i < args.shape.k; ++i) {
      sum += At(args.weight, row * args.shape.k + i) * At(args.x, i);
    }
    const auto logit = static_cast<float>(sum);
    if (logit > best || (std::isnan(best) && !std::isnan(logit))) {
      best = logit;
      id = row;
    }
  }
  args.ids[0] = static_cast<std::int32_t>(id);
  args.ok[0] = static_cast<std::uint8_t>(!std::isnan(best));
  Put(args.value, 0, static_cast<double>(best));
}

std::string Describe(const LogitsArgmaxShape& s) {
  return JoinSizes({{"vocab", s.vocab}, {"k", s.k}}, Name(s.dtype));
}

Cost CostOf(const LogitsArgmaxShape& s) {
  const double all = Product({s.vocab, s.k});
  return {all * ByteCount(s.dtype) + Product({s.k}) * 4, 2 * all};
}

}  // namespace kernels
