// SPDX-License-Identifier: Apache-2.0
// The products of CpuOps: tiles of weights, each multiplied with all rows.
#include <algorithm>

#include "engine/index.h"
#include "engine/ops/cpu/cpu_ops.h"
#include "engine/ops/cpu/views.h"

namespace engine {
namespace {

// Rows of weights per task. 64 KiB stay in the second-level cache while all rows of x pass by; a
// multiple of 4 lets the kernel share loads of x. Not a function of the thread count.
constexpr std::int64_t kMostTileRows = 64;
std::int64_t TileRows(const Weight& weight) {
  const std::int64_t row_bytes =
      weight.data.dtype == DType::kU8
          ? weight.k / 2 + weight.k / kernels::kMxfp4Block
          : weight.k * static_cast<std::int64_t>(ByteSize(weight.data.dtype));
  return std::clamp<std::int64_t>(((64 << 10) / row_bytes + 3) / 4 * 4, 4, kMostTileRows);
}

std::int64_t Tiles(const Weight& weight) {
  return (weight.n + TileRows(weight) - 1) / TileRows(weight);
}

}  // namespace

void CpuOps::FinishProduct(std::span<float>) const {}

void CpuOps::Multiply(const Weight& part, std::int64_t first, std::int64_t count, Rows x,
                      float* y) const {
  if (part.data.dtype != DType::kU8) {
    kernels::Run(gemv_,
                 kernels::GemvArgs{{count, part.k, part.data.dtype, x.rows},
                                   Part(part.data, first * part.k, count * part.k),
                                   Floats(static_cast<const float*>(x.data), x.rows * x.cols),
                                   Floats(y, x.rows * count)},
                 context_);
    return;
  }
  const std::int64_t blocks = part.k / kernels::kMxfp4Block;
  for (std::int64_t row = 0; row < x.rows; ++row) {
    kernels::Run(
        gemv_mxfp4_,
        kernels::GemvMxfp4Args{{count, part.k},
                               Part(part.data, first * part.k / 2, count * part.k / 2),
                               Part(part.scales, first * blocks, count * blocks),
                               Floats(static_cast<const float*>(x.data) + row * x.cols, x.cols),
                               Floats(y + row * count, count)},
        context_);
  }
}

void CpuOps::MultiplyTile(const Weight& part, std::int64_t first, std::int64_t count, Rows x,
                          float* y, std::int64_t y_stride) const {
  constexpr std::int64_t kAtOnce = 48;  // rows of x whose results are on the stack, 12 KiB
  float results[kAtOnce * kMostTileRows];
  const float* const bias =
      part.bias.count == 0 ? nullptr : static_cast<const float*>(part.bias.data) + first;
  for (std::int64_t row = 0; row < x.rows; row += kAtOnce) {
    const std::int64_t rows = std::min(kAtOnce, x.rows - row);
    Multiply(part, first, count, {x.data + row * x.cols, rows, x.cols}, results);
    for (std::int64_t r = 0; r < rows; ++r) {
      float* const out = y + (row + r) * y_stride + first;
      for (std::int64_t i = 0; i < count; ++i) {
        const float product = results[r * count + i];
        out[i] = bias == nullptr ? product : product + bias[i];
      }
      FinishProduct({out, Index(count)});
    }
  }
}

void CpuOps::Linear(Rows x, std::span<const Weight> parts, Rows y) {
  std::int64_t tiles = 0;
  for (const Weight& part : parts) {
    tiles += Tiles(part);
  }
  // All parts in one loop: waking the threads costs a few microseconds each time.
  pool_.For(tiles, [&](std::int64_t tile) {
    float* out = y.data;
    std::size_t p = 0;
    for (; tile >= Tiles(parts[p]); ++p) {
      tile -= Tiles(parts[p]);
      out += parts[p].n;
    }
    const std::int64_t first = tile * TileRows(parts[p]);
    const std::int64_t count = std::min(TileRows(parts[p]), parts[p].n - first);
    MultiplyTile(parts[p], first, count, x, out, y.cols);
  });
}

}  // namespace engine
