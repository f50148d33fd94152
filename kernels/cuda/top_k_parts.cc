// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/top_k_parts.h"

#include <algorithm>

#include "kernels/cuda/gpu.h"

namespace kernels::cuda {
namespace {

constexpr std::int64_t kLeastChunk = 2048;
constexpr std::int64_t kMostStaged = 24576;
constexpr std::int64_t kMostSlots = 1024;  // a key per thread: select.cuh

}  // namespace

std::size_t TopKParts::SharedBytes() const {
  const std::size_t elements = staged ? static_cast<std::size_t>(chunk) * sizeof(float) : 0;
  const auto merged = static_cast<std::size_t>(parts) * static_cast<std::size_t>(slots);
  return std::max(elements, parts > 1 ? merged * sizeof(std::uint64_t) : 0);
}

std::size_t TopKParts::KeyBytes(std::int64_t rows) const {
  return parts == 1 ? 0
                    : static_cast<std::size_t>(rows * parts) * static_cast<std::size_t>(slots) *
                          sizeof(std::uint64_t);
}

std::size_t TopKParts::WorkspaceBytes(std::int64_t rows) const {
  return parts == 1
             ? 0
             : KeyBytes(rows) + static_cast<std::size_t>(rows * parts) * sizeof(std::uint32_t);
}

// More parts share the reading, fewer leave less to merge: while all parts hand on no more than
// 1024 keys, the merge needs no selection of its own.
TopKParts PartsForTopK(std::int64_t rows, std::int64_t cols, std::int64_t k,
                       const Context& context) {
  const std::int64_t blocks = 2 * std::int64_t{context.gpu->limits().multiprocessors};
  const std::int64_t most = std::min(k <= 24 ? 32L : 16L, cols / kLeastChunk);
  TopKParts parts;
  parts.parts = static_cast<int>(
      std::clamp<std::int64_t>(rows == 0 ? 1 : blocks / rows, 1, std::max<std::int64_t>(most, 1)));
  parts.slots = static_cast<int>(k <= 24 ? 32 : std::clamp<std::int64_t>(2 * k, 64, kMostSlots));
  if (k > 24 && k <= 56) {
    parts.slots = 64;
  }
  parts.chunk = (cols + parts.parts - 1) / parts.parts;
  parts.staged = parts.chunk <= kMostStaged;
  return parts;
}

}  // namespace kernels::cuda
