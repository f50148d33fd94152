// SPDX-License-Identifier: Apache-2.0
// gemv_mxfp4_tile.cuh: the product of gemv_mxfp4_mma.cuh where there are so few tiles that all of
// them are taken at once, by one block per multiprocessor.
//
// Everything then happens once, and what counts is the longest way through it. x is converted once
// per multiprocessor, not once per tile. Codes and scales come by bulk copies: as loads they fill
// the queue of the multiprocessor's memory unit while they wait for DRAM, and x stands behind them.
// The first tile is computed while the next is under way, so one thread asks for them in order.
// Sums are those of Mxfp4Kernel with a team of all its warps, in the same order.
//
// From half as many tiles on there are as many blocks as multiprocessors, even where some have no
// tile: each then finds one block of the launch ahead on every multiprocessor. With fewer some
// multiprocessors got two blocks of one launch, which took half as long again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/dot/gemv_mxfp4_mma.cuh"
#include "kernels/cuda/dot/mxfp4.cuh"
#include "kernels/cuda/runtime/copy_bulk.cuh"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/phase_barrier.cuh"

namespace kernels::cuda {

constexpr int kMostTiles = 3;  // of a block

// Two blocks share a multiprocessor, of which one belongs to the launch ahead. For three tiles 384
// threads, which take them in two rounds: 768 would leave 42 registers.
__host__ __device__ constexpr int TileThreads(int tiles) {
  return tiles == 3 ? 384 : kMxfp4Threads * tiles;
}

constexpr std::int64_t TileSharedBytes(std::int64_t tiles, std::int64_t padded,
                                       std::int64_t blocks) {
  return static_cast<std::int64_t>(SharedBytes(padded)) + tiles * kMxfp4Rows * blocks * 17;
}

template <int kTiles, int kSteps>
__global__ void __launch_bounds__(TileThreads(kTiles), 2)
    Mxfp4TileKernel([[maybe_unused]] const uint4* codes,
                    [[maybe_unused]] const std::uint8_t* scales, [[maybe_unused]] const float* x,
                    [[maybe_unused]] float* y, [[maybe_unused]] int n, [[maybe_unused]] int blocks,
                    [[maybe_unused]] int padded) {
#if __CUDA_ARCH__ >= 900
  constexpr int kThreads = TileThreads(kTiles);
  constexpr int kRows = kTiles * kMxfp4Rows;  // of a block
  constexpr int kSpan = 4 * kSteps;
  extern __shared__ uint4 shared[];
  __shared__ float span_sums[kTiles][kMxfp4Warps][kMxfp4Rows];
  __shared__ PhaseBarrier arrived[kTiles];
  auto* const zeros = reinterpret_cast<std::byte*>(shared);
  std::byte* const shared_x = zeros + kZeroBytes;
  auto* const factors = reinterpret_cast<float*>(shared_x + padded * 128);
  auto* const block_codes = reinterpret_cast<uint4*>(factors + padded);
  auto* const block_scales = reinterpret_cast<std::uint8_t*>(block_codes + kRows * blocks);

  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int quarter = lane % 4;
  const auto first_row = [](int tile) {
    return (static_cast<int>(blockIdx.x) + tile * static_cast<int>(gridDim.x)) * kMxfp4Rows;
  };
  const auto rows = [&](int tile) { return max(min(n - first_row(tile), kMxfp4Rows), 0); };
  LetNextStart();
  if (thread == 0) {
    for (int tile = 0; tile < kTiles; ++tile) {
      const int count = rows(tile) * blocks;
      FetchAhead(scales + first_row(tile) * blocks, count);
      FetchAhead(codes + first_row(tile) * blocks, 16 * count);
      InitPhases(&arrived[tile], 1);
    }
    FenceInitForCopies();
  }
  for (int i = thread; i < static_cast<int>(kZeroBytes / 16); i += kThreads) {
    shared[i] = {};
  }
  WaitForPrevious();
  if (thread == 0) {
    for (int tile = 0; tile < kTiles; ++tile) {
      const int count = rows(tile) * blocks;
      const int whole = count / 16 * 16;  // scales, as a bulk copy takes them
      const int to = tile * kMxfp4Rows * blocks;
      const int from = first_row(tile) * blocks;
      ExpectBytes(&arrived[tile], static_cast<unsigned>(16 * count + whole));
      if (whole > 0) {
        CopyBulkAsync(block_scales + to, scales + from, static_cast<unsigned>(whole),
                      &arrived[tile]);
      }
      if (count > 0) {
        CopyBulkAsync(block_codes + to, codes + from, static_cast<unsigned>(16 * count),
                      &arrived[tile]);
      }
      for (int i = whole; i < count; ++i) {
        block_scales[to + i] = scales[from + i];
      }
    }
  }
  ShareHalves<kThreads>(x, blocks, padded, shared_x, factors);
  __syncthreads();

  const ColumnUnits units(shared_x, zeros, lane, 0);
#pragma unroll 1
  for (int item = thread / 32; item < kTiles * kMxfp4Warps; item += kThreads / 32) {
    const int tile = item / kMxfp4Warps;
    const int rank = item % kMxfp4Warps;
    const int last = rows(tile) - 1;
    AwaitPhase(&arrived[tile], 0);
    const int upper = (tile * kMxfp4Rows + min(lane / 4, last)) * blocks;
    const int lower = (tile * kMxfp4Rows + min(lane / 4 + 8, last)) * blocks;
    const int offset = units.active ? rank * kSpan * 128 : 0;
    float upper_sum = 0, lower_sum = 0;
    if (last >= 0 && rank * kSpan < blocks) {
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        const int at = rank * kSpan + quarter + 4 * s;
        const int block = min(at, blocks - 1);
        float sums[4] = {};
        MultiplyBlocks(block_codes[upper + block], block_codes[lower + block], units.at,
                       offset + s * 4 * 128, sums);
        const float factor = factors[at];
        upper_sum =
            TimesScale((sums[0] + sums[1]) * factor, block_scales[upper + block], upper_sum);
        lower_sum =
            TimesScale((sums[2] + sums[3]) * factor, block_scales[lower + block], lower_sum);
      }
    }
    const float sum = SumQuarters(upper_sum, lower_sum);
    if (quarter < 2) {
      span_sums[tile][rank][lane / 4 + 8 * quarter] = sum;
    }
  }
  __syncthreads();
  const int row = thread % kMxfp4Rows;
  if (thread < kRows && row < rows(thread / kMxfp4Rows)) {
    float total = 0;
#pragma unroll
    for (int rank = 0; rank < kMxfp4Warps; ++rank) {
      total += span_sums[thread / kMxfp4Rows][rank][row];
    }
    y[first_row(thread / kMxfp4Rows) + row] = total;
  }
#endif
}

}  // namespace kernels::cuda
