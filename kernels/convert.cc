// SPDX-License-Identifier: Apache-2.0
#include "kernels/convert.h"

#include "kernels/bf16.h"
#include "kernels/check.h"
#include "kernels/cpu/kernels.h"

namespace kernels {

void Check(const ConvertArgs& args) {
  constexpr auto kOp = Table<ConvertArgs>::op;
  const std::size_t count = Elements(kOp, {args.shape.count});
  const DType to = args.shape.dtype == DType::kF32 ? DType::kBf16 : DType::kF32;
  CheckView(kOp, "x", args.x, count, args.shape.dtype);
  CheckView(kOp, "y", args.y, count, to);
  CheckOverlap(kOp, args.y, count, args.x, count, false);
}

std::string_view ConvertSupports(const ConvertShape&) { return ""; }

void ConvertReference(const ConvertArgs& args, const Context&) {
  for (std::int64_t i = 0; i < args.shape.count; ++i) {
    if (args.shape.dtype == DType::kF32) {
      static_cast<Bf16*>(args.y.data)[i] = ToBf16(static_cast<const float*>(args.x.data)[i]);
    } else {
      static_cast<float*>(args.y.data)[i] = ToFloat(static_cast<const Bf16*>(args.x.data)[i]);
    }
  }
}

void ConvertVector(const ConvertArgs& args, const Context& context) {
  cpu::For(context.isa).convert(args);
}

}  // namespace kernels
