// SPDX-License-Identifier: Apache-2.0
// views.h: rows of activations as kernels take them.
#pragma once

#include <cstdint>

#include "engine/ops/shapes.h"

namespace engine::cuda {

// Rows [first, first + count).
inline Rows Piece(Rows x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.cols, count, x.cols};
}

inline View Floats(Rows x) { return {x.data, x.count(), DType::kF32}; }

}  // namespace engine::cuda
