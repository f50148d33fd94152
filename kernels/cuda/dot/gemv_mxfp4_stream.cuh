// SPDX-License-Identifier: Apache-2.0
// gemv_mxfp4_stream.cuh: the product of gemv_mxfp4_mma.cuh where there are many tiles, which bulk
// copies bring to a ring in shared memory.
//
// One warp of a block asks for tiles, adds up the sums of a tile whose spans are done, and asks for
// the next in its place; the others take the spans. Codes that wait in registers can be asked for
// only once those before are used up; a ring asks for a tile as soon as there is room, with two
// instructions. Sums are those of Mxfp4Kernel with a team of all its warps, in the same order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/dot/gemv_mxfp4_mma.cuh"
#include "kernels/cuda/dot/mxfp4.cuh"
#include "kernels/cuda/runtime/copy_bulk.cuh"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/phase_barrier.cuh"

namespace kernels::cuda {

inline constexpr int kStreamTeams = 2;  // of kMxfp4Warps warps, which take tiles in turn
inline constexpr int kStreamWorkers = kStreamTeams * kMxfp4Threads;
inline constexpr int kStreamThreads = kStreamWorkers + 32;
inline constexpr int kMostStages = 12;

// Of one tile: codes, scales, the sums of its spans.
constexpr std::int64_t StageBytes(std::int64_t blocks) {
  return kMxfp4Rows * blocks * 17 + std::int64_t{kMxfp4Warps} * kMxfp4Rows * 4;
}
constexpr std::int64_t StreamSharedBytes(std::int64_t stages, std::int64_t padded,
                                         std::int64_t blocks) {
  return static_cast<std::int64_t>(SharedBytes(padded)) + stages * StageBytes(blocks);
}

template <int kSteps>
__global__ void __launch_bounds__(kStreamThreads, 2)
    Mxfp4StreamKernel([[maybe_unused]] const uint4* codes,
                      [[maybe_unused]] const std::uint8_t* scales, [[maybe_unused]] const float* x,
                      [[maybe_unused]] float* y, [[maybe_unused]] int n,
                      [[maybe_unused]] int blocks, [[maybe_unused]] int padded,
                      [[maybe_unused]] int stages) {
#if __CUDA_ARCH__ >= 900
  constexpr int kSpan = 4 * kSteps;
  // As measured. The name is its own, since arrays of one name share the strictest alignment, and
  // Mxfp4TileKernel takes 2 to 5 % longer with this one.
  extern __shared__ __align__(128) uint4 stream_shared[];
  __shared__ PhaseBarrier arrived[kMostStages], done[kMostStages];
  const int tile_blocks = kMxfp4Rows * blocks;
  auto* const zeros = reinterpret_cast<std::byte*>(stream_shared);
  std::byte* const shared_x = zeros + kZeroBytes;
  auto* const factors = reinterpret_cast<float*>(shared_x + padded * 128);
  auto* const ring_codes = reinterpret_cast<uint4*>(factors + padded);
  auto* const ring_sums = reinterpret_cast<float*>(ring_codes + stages * tile_blocks);
  auto* const ring_scales =
      reinterpret_cast<std::uint8_t*>(ring_sums + stages * kMxfp4Warps * kMxfp4Rows);

  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int tiles = (n + kMxfp4Rows - 1) / kMxfp4Rows;
  const int first = static_cast<int>(blockIdx.x);
  const int stride = static_cast<int>(gridDim.x);
  const auto rows = [&](int tile) { return min(n - tile * kMxfp4Rows, kMxfp4Rows); };
  const bool asks = warp == kStreamWorkers / 32;
  LetNextStart();
  if (thread == kStreamWorkers) {
    for (int i = 0; i < stages; ++i) {
      const int tile = first + i * stride;
      if (tile < tiles) {
        FetchAhead(scales + tile * tile_blocks, rows(tile) * blocks);
        FetchAhead(codes + tile * tile_blocks, 16 * rows(tile) * blocks);
      }
      InitPhases(&arrived[i], 32);
      InitPhases(&done[i], kMxfp4Threads);
    }
    FenceInitForCopies();
  }
  __syncwarp();
  for (int i = thread; i < static_cast<int>(kZeroBytes / 16); i += kStreamThreads) {
    stream_shared[i] = {};
  }
  WaitForPrevious();
  // By all lanes, each of which arrives for itself: racecheck does not know of a barrier of the
  // warp that what one lane's arrival says holds for the others.
  const auto ask = [&](int tile, int stage) {
    if (tile >= tiles) {
      return;
    }
    const int count = rows(tile) * blocks;
    const int whole = count / 16 * 16;  // scales, as a bulk copy takes them
    const int from = tile * tile_blocks;
    if (whole + lane < count) {
      ring_scales[stage * tile_blocks + whole + lane] = scales[from + whole + lane];
    }
    if (lane > 0) {
      ArriveAtPhase(&arrived[stage]);
      return;
    }
    ExpectBytes(&arrived[stage], static_cast<unsigned>(16 * count + whole));
    if (whole > 0) {
      CopyBulkAsync(ring_scales + stage * tile_blocks, scales + from, static_cast<unsigned>(whole),
                    &arrived[stage]);
    }
    CopyBulkAsync(ring_codes + stage * tile_blocks, codes + from, static_cast<unsigned>(16 * count),
                  &arrived[stage]);
  };
  if (asks) {
    for (int i = 0; i < stages; ++i) {
      ask(first + i * stride, i);
    }
  } else {
    ShareHalves<kStreamWorkers>(x, blocks, padded, shared_x, factors);
  }
  __syncthreads();

  if (asks) {
    int stage = 0;
    unsigned parity = 0;
    for (int tile = first; tile < tiles; tile += stride) {
      AwaitPhase(&done[stage], parity);
      const float* const sums = ring_sums + stage * kMxfp4Warps * kMxfp4Rows;
      if (lane < rows(tile)) {
        float total = 0;
#pragma unroll
        for (int rank = 0; rank < kMxfp4Warps; ++rank) {
          total += sums[rank * kMxfp4Rows + lane];
        }
        y[tile * kMxfp4Rows + lane] = total;
      }
      ask(tile + stages * stride, stage);
      if (++stage == stages) {
        stage = 0;
        parity ^= 1U;
      }
    }
    return;
  }

  const int quarter = lane % 4;
  const int rank = warp % kMxfp4Warps;
  const ColumnUnits units(shared_x, zeros, lane, 0);
  const int offset = units.active ? rank * kSpan * 128 : 0;
  const int begin = rank * kSpan + quarter;
  int stage = warp / kMxfp4Warps;  // of at least as many as teams
  unsigned parity = 0;
  bool first_lap = true;
#pragma unroll 1
  for (int tile = first + warp / kMxfp4Warps * stride; tile < tiles;
       tile += kStreamTeams * stride) {
    // Where stages are odd in number the other team had this one a lap ago. Until that lap has
    // ended the parity of this lap is that of the lap before it, which has.
    if (!first_lap) {
      AwaitPhase(&done[stage], parity ^ 1U);
    }
    AwaitPhase(&arrived[stage], parity);
    const int last = rows(tile) - 1;
    const int upper = stage * tile_blocks + min(lane / 4, last) * blocks;
    const int lower = stage * tile_blocks + min(lane / 4 + 8, last) * blocks;
    float upper_sum = 0, lower_sum = 0;
    if (rank * kSpan < blocks) {
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        const int at = begin + 4 * s;
        const int block = min(at, blocks - 1);
        float sums[4] = {};
        MultiplyBlocks(ring_codes[upper + block], ring_codes[lower + block], units.at,
                       offset + s * 4 * 128, sums);
        const float factor = factors[at];
        upper_sum = TimesScale((sums[0] + sums[1]) * factor, ring_scales[upper + block], upper_sum);
        lower_sum = TimesScale((sums[2] + sums[3]) * factor, ring_scales[lower + block], lower_sum);
      }
    }
    const float sum = SumQuarters(upper_sum, lower_sum);
    if (quarter < 2) {
      ring_sums[(stage * kMxfp4Warps + rank) * kMxfp4Rows + lane / 4 + 8 * quarter] = sum;
    }
    ArriveAtPhase(&done[stage]);
    stage += kStreamTeams;
    if (stage >= stages) {
      stage -= stages;
      parity ^= 1U;
      first_lap = false;
    }
  }
#endif
}

}  // namespace kernels::cuda
