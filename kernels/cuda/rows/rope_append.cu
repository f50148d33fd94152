// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/rows/rope.cuh"
#include "kernels/cuda/rows/rope_append.h"

namespace kernels::cuda {
namespace {

template <class T, class Cache>
rope::Problem<T, Cache> ProblemOf(const RopeAppendArgs& args) {
  return {.tokens = args.shape.tokens,
          .heads = args.shape.heads,
          .kv_heads = args.shape.kv_heads,
          .half = args.shape.dim / 2,
          .table_rows = TableRows(args),
          .cache_slots = Slots(args),
          .x = static_cast<const T*>(args.qkv.data),
          .cos = static_cast<const float*>(args.cos.data),
          .sin = static_cast<const float*>(args.sin.data),
          .positions = args.positions.data(),
          .slots = args.slots.data(),
          .q = static_cast<T*>(args.q.data),
          .k = static_cast<Cache*>(args.k_cache.data),
          .v = static_cast<Cache*>(args.v_cache.data)};
}

// f(Tag<T>{}, Tag<Cache>{}) for the combinations that RopeAppendSupports.
template <class F>
void ForTypes(const RopeAppendShape& shape, F&& f) {
  if (shape.dtype == DType::kBf16) {
    f(Tag<__nv_bfloat16>{}, Tag<__nv_bfloat16>{});
  } else if (CacheDType(shape) == DType::kBf16) {
    f(Tag<float>{}, Tag<__nv_bfloat16>{});
  } else {
    f(Tag<float>{}, Tag<float>{});
  }
}

}  // namespace

void RopeAppendReference(const RopeAppendArgs& args, const Context& context) {
  ForTypes(args.shape, [&]<class T, class Cache>(Tag<T>, Tag<Cache>) {
    rope::RunReference<T, Cache, true>("rope_append/impl:reference", ProblemOf<T, Cache>(args),
                                       context);
  });
}

void RopeAppendVector(const RopeAppendArgs& args, const Context& context) {
  ForTypes(args.shape, [&]<class T, class Cache>(Tag<T>, Tag<Cache>) {
    rope::Run<T, Cache, true>("rope_append/impl:vector", ProblemOf<T, Cache>(args), context);
  });
}

}  // namespace kernels::cuda
