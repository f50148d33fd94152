// SPDX-License-Identifier: Apache-2.0
// shapes.h: what the ops are given: activations, weights, rows, cache. Pointers and sizes alone, so
// that device code can include it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/types.h"

namespace engine {

using kernels::ConstView;
using kernels::DType;
using kernels::View;

// A matrix of f32 activations.
struct Rows {
  float* data = nullptr;
  std::int64_t rows = 0, cols = 0;

  std::size_t count() const { return static_cast<std::size_t>(rows * cols); }
  // The last `n` rows.
  Rows Last(std::int64_t n) const { return {data + (rows - n) * cols, n, cols}; }
};

// y = x weight^T + bias
struct Weight {
  std::int64_t n = 0, k = 0;
  ConstView data;    // f32 or bf16 [n, k]; MXFP4: u8 [n, k / 32, 16], see kernels/gemv_mxfp4.h
  ConstView scales;  // MXFP4: u8 [n, k / 32]
  ConstView bias;    // f32 [n], or empty
};

// What belongs to each row, in device memory: [rows].
struct RowInfo {
  const std::int32_t* tokens = nullptr;
  const std::int32_t* positions = nullptr;  // in the sequence, from 0; the row sees positions + 1
  const std::int32_t* sequences = nullptr;  // which part of the cache
};

// Keys and values of one layer for all sequences: `batch` parts of capacity * kv_heads * dim
// elements, f32 or bf16. The order inside a part is the device's own.
struct KvLayer {
  View k, v;
};

struct AttentionShape {
  std::int64_t heads = 0, kv_heads = 0, dim = 0;
  std::int64_t batch = 0, capacity = 0;  // sequences, and positions of each, in the cache
  float scale = 1;
};

// cos and sin of every position: f32 [positions, dim / 2].
struct RopeTable {
  ConstView cos, sin;
};

// How a row's token is drawn. Greedy where temperature is 0.
struct Sampling {
  float temperature = 0;
  float top_p = 1;
  std::int32_t top_k = 0;  // 0: as many as the kernel takes, kernels::kMaxTopK
  std::uint64_t seed = 1;
  std::uint64_t step = 0;
};

// Of one distribution, at temperature 1.
struct Uncertainty {
  float log_probability = 0;  // of the token that was taken, nats
  float entropy = 0;          // nats
  float margin = 0;           // largest logit less the second largest
};

// What a step drew for one row, as the host reads it.
struct Drawn {
  std::int32_t id = 0;
  std::uint32_t ok = 0;     // 0: the row had no distribution, and the id means nothing
  Uncertainty uncertainty;  // where it was measured
};

// The end of a step that draws, all in device memory but `to`: [rows] each.
struct Delivery {
  std::int64_t rows = 0;
  const std::int32_t* ids = nullptr;
  const std::uint8_t* ok = nullptr;
  const Uncertainty* uncertainty = nullptr;  // null: not measured
  std::int32_t* positions = nullptr;
  Sampling* sampling = nullptr;  // null: greedy
  std::int32_t* turn = nullptr;  // 0 or 1
  Drawn* to = nullptr;           // [2, capacity], by Memory::TakeHost
  std::int64_t capacity = 0;
};

}  // namespace engine
