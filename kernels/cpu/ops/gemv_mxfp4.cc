// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemv_mxfp4.h"

#include <cmath>
#include <limits>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

double Mxfp4Scale(std::uint8_t scale) {
  return scale == 255 ? std::numeric_limits<double>::quiet_NaN()
                      : std::ldexp(1.0, static_cast<int>(scale) - 127);
}

void Check(const GemvMxfp4Args& args) {
  constexpr auto kOp = Table<GemvMxfp4Args>::op;
  const std::int64_t per_row = args.shape.k / kMxfp4Block;
  const std::size_t n = Elements(kOp, {args.shape.n});
  const std::size_t k = Elements(kOp, {args.shape.k});
  const std::size_t scales = Elements(kOp, {args.shape.n, per_row});
  const std::size_t bytes = Elements(kOp, {args.shape.n, per_row, kMxfp4Block / 2});
  CheckView(kOp, "blocks", args.blocks, bytes, DType::kU8);
  CheckView(kOp, "scales", args.scales, scales, DType::kU8);
  CheckView(kOp, "x", args.x, k, DType::kF32);
  CheckView(kOp, "y", args.y, n, DType::kF32);
  CheckOverlap(kOp, args.y, n, args.blocks, bytes, false);
  CheckOverlap(kOp, args.y, n, args.scales, scales, false);
  CheckOverlap(kOp, args.y, n, args.x, k, false);
}

std::string_view GemvMxfp4Supports(const GemvMxfp4Shape& shape) {
  return shape.k < kMxfp4Block || shape.k % kMxfp4Block != 0 ? "k must be a positive multiple of 32"
                                                             : "";
}

void GemvMxfp4Reference(const GemvMxfp4Args& args, const Context&) {
  const auto* const blocks = static_cast<const std::uint8_t*>(args.blocks.data);
  const auto* const scales = static_cast<const std::uint8_t*>(args.scales.data);
  for (std::int64_t row = 0; row < args.shape.n; ++row) {
    double sum = 0;
    for (std::int64_t i = 0; i < args.shape.k; ++i) {
      const std::int64_t at = row * args.shape.k + i;
      const unsigned code = static_cast<unsigned>(blocks[at / 2]) >> (i % 2 == 0 ? 0 : 4);
      sum += Mxfp4Scale(scales[at / kMxfp4Block]) * Mxfp4Value(code) * At(args.x, i);
    }
    Put(args.y, row, sum);
  }
}

void GemvMxfp4Vector(const GemvMxfp4Args& args, const Context& context) {
  cpu::For(context.isa).gemv_mxfp4(args);
}

std::string Describe(const GemvMxfp4Shape& s) {
  return JoinSizes({{"n", s.n}, {"k", s.k}}, "mxfp4");
}

// Half a byte per code and one byte per block.
Cost CostOf(const GemvMxfp4Shape& s) {
  const double all = Product({s.n, s.k});
  return {all / 2 + all / static_cast<double>(kMxfp4Block) + (Product({s.k}) + Product({s.n})) * 4,
          2 * all};
}

}  // namespace kernels
