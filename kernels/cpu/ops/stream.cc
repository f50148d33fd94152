// SPDX-License-Identifier: Apache-2.0
#include "kernels/stream.h"

#include <algorithm>
#include <cstring>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const CopyArgs& args) {
  constexpr auto kOp = Table<CopyArgs>::op;
  const std::size_t count = Elements(kOp, {args.shape.count});
  CheckView(kOp, "x", args.x, count, args.shape.dtype);
  CheckView(kOp, "y", args.y, count, args.shape.dtype);
  CheckOverlap(kOp, args.y, count, args.x, count, false);
}

std::string_view CopySupports(const CopyShape&) { return ""; }

void CopyReference(const CopyArgs& args, const Context&) {
  const auto bytes = args.shape.count * static_cast<std::int64_t>(ByteSize(args.shape.dtype));
  std::copy_n(static_cast<const std::byte*>(args.x.data), bytes,
              static_cast<std::byte*>(args.y.data));
}

void CopyVector(const CopyArgs& args, const Context& context) { cpu::For(context.isa).copy(args); }

void Check(const SumArgs& args) {
  constexpr auto kOp = Table<SumArgs>::op;
  const std::size_t count = Elements(kOp, {args.shape.count});
  CheckView(kOp, "x", args.x, count, args.shape.dtype);
  CheckView(kOp, "total", args.total, 1, DType::kF32);
  CheckOverlap(kOp, args.total, 1, args.x, count, false);
}

std::string_view SumSupports(const SumShape&) { return ""; }

void SumReference(const SumArgs& args, const Context&) {
  double sum = 0;
  for (std::int64_t i = 0; i < args.shape.count; ++i) {
    sum += At(args.x, i);
  }
  Put(args.total, 0, sum);
}

void SumVector(const SumArgs& args, const Context& context) { cpu::For(context.isa).sum(args); }

std::string Describe(const CopyShape& s) { return JoinSizes({{"count", s.count}}, Name(s.dtype)); }

Cost CostOf(const CopyShape& s) { return {2 * Product({s.count}) * ByteCount(s.dtype), 0}; }

std::string Describe(const SumShape& s) { return JoinSizes({{"count", s.count}}, Name(s.dtype)); }

Cost CostOf(const SumShape& s) {
  return {Product({s.count}) * ByteCount(s.dtype), Product({s.count})};
}

}  // namespace kernels
