// SPDX-License-Identifier: Apache-2.0
// dot_plan.h: how the kernels of dot_rows.cuh divide a weight matrix among the blocks of a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kernels::cuda {

inline constexpr int kDotThreads = 512;
inline constexpr int kDotWarps = kDotThreads / 32;
inline constexpr int kDotBlocksPerSm = 2;
inline constexpr int kDotInFlight = 8;  // 16-byte loads per thread
inline constexpr std::int64_t kDotSmallBytes = std::int64_t{24} << 20;
inline constexpr std::size_t kDotSharedBytes = std::size_t{96} << 10;
// What all blocks together fetch into the second-level cache while the kernel before still runs. On
// an H100 a token of Llama-3.2-1B takes 1.011 ms without, 1.004 with 8 MiB, 1.006 with 16, 1.021
// with 32 and 1.042 with 64.
inline constexpr std::int64_t kDotAheadBytes = std::int64_t{8} << 20;

struct DotPlan {
  int team = 1;         // warps per row
  int rows = 1;         // that a warp takes at once, in teams of one warp
  unsigned blocks = 1;  // of each slice
  unsigned slices = 1;  // parts of k, each of blocks of its own
  int slice_chunks = 0;
  std::size_t shared_bytes = 0;
};

// A function of shape and device alone: it decides the order of sums.
inline DotPlan PlanDot(std::int64_t n, std::int64_t k, int per_chunk, int multiprocessors,
                       unsigned least_slices) {
  const auto groups = [](std::int64_t count, std::int64_t of) { return (count + of - 1) / of; };
  DotPlan plan;
  const std::int64_t chunks = groups(k, per_chunk);
  // One block per SM where that keeps all loads in flight: the next kernel's blocks fit beside it.
  const bool small = n * k * (512 / per_chunk) <= kDotSmallBytes;
  const auto blocks = static_cast<std::int64_t>((small ? 1 : kDotBlocksPerSm) * multiprocessors);
  // Enough slices that x fits, and that few rows still keep every SM loading.
  const std::int64_t chunk_bytes = static_cast<std::int64_t>(per_chunk) * 4;
  const auto fit = static_cast<std::int64_t>(kDotSharedBytes) / chunk_bytes;
  std::int64_t slices = std::max<std::int64_t>(groups(chunks, fit), least_slices);
  if (n > 0 && 2 * n < multiprocessors) {
    const std::int64_t each = 2 * kDotWarps;
    slices = std::max(slices, std::min(groups(blocks, n), groups(chunks, each)));
  }
  slices = std::min(slices, chunks);
  plan.slice_chunks = static_cast<int>(groups(chunks, slices));
  plan.slices = static_cast<unsigned>(groups(chunks, plan.slice_chunks));
  // A team only where a warp alone would load its row in several steps and most would have none: at
  // 2048 x 8192, which a warp each keeps half of an H100's warps busy, 13.2 us, teams of four 15.1.
  while (plan.team < kDotWarps && plan.slice_chunks > kDotInFlight * plan.team &&
         2 * n * plan.team < kDotWarps * multiprocessors) {
    plan.team *= 4;
  }
  if (plan.team == 1 && plan.slices == 1 && chunks <= kDotInFlight / 2 && n > kDotWarps * blocks) {
    plan.rows = 2;
  }
  plan.blocks = static_cast<unsigned>(std::clamp<std::int64_t>(n, 1, blocks));
  plan.shared_bytes = static_cast<std::size_t>(plan.slice_chunks * chunk_bytes);
  return plan;
}

}  // namespace kernels::cuda
