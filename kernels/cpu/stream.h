// SPDX-License-Identifier: Apache-2.0
// stream.h: bodies of copy and sum, and the scans that argmax and top_k are made of
#pragma once

#include "kernels/cpu/lanes.h"
#include "kernels/cpu/softmax.h"
#include "kernels/stream.h"

namespace kernels::cpu {

template <class S>
void Copy(const CopyArgs& args) {
  const auto count = static_cast<std::size_t>(args.shape.count);
  if (count > 0) {
    __builtin_memcpy(args.y.data, args.x.data,
                     args.shape.dtype == DType::kF32 ? 4 * count : 2 * count);
  }
}

template <class S>
void Sum(const SumArgs& args) {
  const auto* x = static_cast<const float*>(args.x.data);
  typename S::V acc[kAccumulators] = {S::Set(0), S::Set(0), S::Set(0), S::Set(0)};
  Accumulate<S>(args.shape.count, acc, [x](typename S::V a, std::int64_t i, auto part) {
    return S::Add(a, S::Load(x + i, part));
  });
  *static_cast<float*>(args.total.data) = SumOf<S>(acc);
}

template <class S>
float Max(const float* x, std::int64_t count) {
  return MaxOf<S>(x, count);
}

template <class S>
std::int64_t FirstAbove(const float* x, std::int64_t from, std::int64_t count, float threshold,
                        bool or_equal) {
  const auto limit = S::Set(threshold);
  std::int64_t i = from;
  for (; i + kLanes <= count; i += kLanes) {
    const auto v = S::Load(x + i, All{});
    const unsigned hits = or_equal ? S::AtLeast(v, limit) : S::Above(v, limit);
    if (hits != 0) {
      return i + __builtin_ctz(hits);
    }
  }
  for (; i < count; ++i) {
    if (x[i] > threshold || (or_equal && x[i] == threshold)) {
      return i;
    }
  }
  return count;
}

}  // namespace kernels::cpu
