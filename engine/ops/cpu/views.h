// SPDX-License-Identifier: Apache-2.0
// views.h: parts of tensors as the kernels take them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/index.h"
#include "engine/ops/shapes.h"

namespace engine {

inline View Floats(float* data, std::int64_t count) { return {data, Index(count), DType::kF32}; }
inline ConstView Floats(const float* data, std::int64_t count) {
  return {data, Index(count), DType::kF32};
}

// `count` elements of a view from element `first` on.
template <class V>
V Part(V view, std::int64_t first, std::int64_t count) {
  using Byte = std::conditional_t<std::is_same_v<V, View>, std::byte, const std::byte>;
  return {static_cast<Byte*>(view.data) + Index(first) * ByteSize(view.dtype), Index(count),
          view.dtype};
}

}  // namespace engine
