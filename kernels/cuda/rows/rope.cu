// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/rows/rope.cuh"
#include "kernels/cuda/rows/rope.h"

namespace kernels::cuda {
namespace {

template <class T>
rope::Problem<T, T> ProblemOf(const RopeArgs& args) {
  const std::int64_t half = args.shape.dim / 2;
  return {.tokens = args.shape.tokens,
          .heads = args.shape.heads,
          .kv_heads = 0,
          .half = half,
          .table_rows = static_cast<std::int64_t>(std::min(args.cos.count, args.sin.count)) / half,
          .cache_slots = 0,
          .x = static_cast<const T*>(args.x.data),
          .cos = static_cast<const float*>(args.cos.data),
          .sin = static_cast<const float*>(args.sin.data),
          .positions = args.positions.data(),
          .slots = nullptr,
          .q = static_cast<T*>(args.y.data),
          .k = nullptr,
          .v = nullptr};
}

}  // namespace

void RopeReference(const RopeArgs& args, const Context& context) {
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    rope::RunReference<T, T, false>("rope/impl:reference", ProblemOf<T>(args), context);
  });
}

void RopeVector(const RopeArgs& args, const Context& context) {
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    rope::Run<T, T, false>("rope/impl:vector", ProblemOf<T>(args), context);
  });
}

}  // namespace kernels::cuda
