// SPDX-License-Identifier: Apache-2.0
// gemv_mxfp4_mma.cuh: the product of MXFP4 rows with x on tensor cores.
//
// A tile is 16 rows; its row is cut into spans of 4 kSteps blocks, which the warps of a team take
// in turn. Lane l of a warp takes rows l / 4 and l / 4 + 8 of the tile and every fourth block of
// the span, so that a lane's 16 bytes are one block and its scale concerns no other lane. The
// product is m16n8k16: rows of weights times columns of x. Column 2 b + p holds piece p of x, and
// zero outside the b-th of the four blocks at hand: the tensor core adds up four blocks side by
// side without mixing them, and the result for lane l's blocks appears in lane l.
//
// A team is all warps of a block where a row has as many steps, and kSteps such that one span per
// warp covers the row, so that tiles go to SMs in the smallest pieces.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/dot/mxfp4.cuh"
#include "kernels/cuda/dot/weights.cuh"
#include "kernels/cuda/runtime/launch.cuh"

namespace kernels::cuda {

inline constexpr int kMxfp4Threads = 256;
inline constexpr int kMxfp4Warps = kMxfp4Threads / 32;
inline constexpr int kMxfp4Rows = 16;
inline constexpr int kMostSteps = 4;
inline constexpr std::size_t kZeroBytes = kMostSteps * 4 * 128;  // as far as a span of x reaches
inline constexpr int kMostAhead = 64 << 10;  // bytes of a tile fetched before they are loaded

// As registers allow, where a span's codes wait for their use.
constexpr int BlocksPerSm(int steps) { return steps <= 2 ? 4 : 3; }

constexpr std::size_t SharedBytes(std::int64_t padded) {
  return static_cast<std::size_t>(padded) * (128 + sizeof(float)) + kZeroBytes;
}

__device__ __forceinline__ void MmaHalf(float (&d)[4], std::uint32_t a0, std::uint32_t a1,
                                        std::uint32_t a2, std::uint32_t a3, std::uint32_t b0,
                                        std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

// One block of each of this lane's two rows: sums[0] and [2] with the upper pieces of x, [1] and
// [3] with the lower ones.
__device__ __forceinline__ void MultiplyBlocks(const uint4& a, const uint4& b,
                                               const std::byte* const (&x)[4], int offset,
                                               float (&sums)[4]) {
  const std::uint32_t first[4] = {a.x, a.y, a.z, a.w};
  const std::uint32_t second[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
  for (int unit = 0; unit < 4; ++unit) {
    const uint4 v = *reinterpret_cast<const uint4*>(x[unit] + offset);
    std::uint32_t p[4], q[4];
    DecodeCodes(first[unit], p);
    DecodeCodes(second[unit], q);
    MmaHalf(sums, p[0], q[0], p[1], q[1], v.x, v.y);
    MmaHalf(sums, p[2], q[2], p[3], q[3], v.z, v.w);
  }
}

// Lane l gives the product column l / 4, k-elements of lane l % 4: a piece of the (l % 4)-th block
// where the column is of that block, else zeros, from banks next to those that the two other lanes
// of eight read. `at`: those of the four units of blocks [first, first + 4).
struct ColumnUnits {
  bool active;
  const std::byte* at[4];

  __device__ __forceinline__ ColumnUnits(const std::byte* shared_x, const std::byte* zeros,
                                         int lane, int first)
      : active(lane / 8 == lane % 4) {
    const int column = lane / 4;
#pragma unroll
    for (int unit = 0; unit < 4; ++unit) {
      at[unit] = active ? shared_x + XOffset(lane % 4, column % 2, unit) + first * 128
                        : zeros + (((unit ^ (column / 2)) + 1) & 3) * 16;
    }
  }
};

// Over the four lanes of a row: lanes of even quarter go on with the upper row, the others with the
// lower one, 8 rows on.
__device__ __forceinline__ float SumQuarters(float upper, float lower) {
  const bool even = threadIdx.x % 2 == 0;
  float sum = even ? upper : lower;
  sum += __shfl_xor_sync(0xffffffffU, even ? lower : upper, 1);
  sum += __shfl_xor_sync(0xffffffffU, sum, 2);
  return sum;
}

__device__ __forceinline__ void SyncWarps(int team, int warps) {
  asm volatile("bar.sync %0, %1;" ::"r"(1 + team), "r"(32 * warps) : "memory");
}

// `kOnce`: a row has no more spans than a team has warps.
template <int kTeam, int kSteps, bool kOnce>
__global__ void __launch_bounds__(kMxfp4Threads, BlocksPerSm(kSteps))
    Mxfp4Kernel(const uint4* codes, const std::uint8_t* scales, const float* x, float* y, int n,
                int blocks, int padded) {
  constexpr int kTeams = kMxfp4Warps / kTeam;
  constexpr int kSpan = 4 * kSteps;
  // While one tile waits in registers the next is fetched into the second-level cache: 3 % less
  // time at 128256 x 2048 and 9 % at 28672 x 4096, where half of the blocks have a tile more than
  // the others. Two tiles ahead take as long as none. Three steps, 65536 x 2880, took 1 % more, and
  // 136 x 288 3 %.
  constexpr bool kAhead = kOnce && (kSteps == 2 || kSteps == 4);
  extern __shared__ uint4 shared[];
  __shared__ float team_sums[2][kMxfp4Warps][kMxfp4Rows];
  auto* const zeros = reinterpret_cast<std::byte*>(shared);
  std::byte* const shared_x = zeros + kZeroBytes;
  auto* const factors = reinterpret_cast<float*>(shared_x + padded * 128);

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int team = warp / kTeam;
  const int rank = warp % kTeam;
  const int quarter = lane % 4;
  const int tiles = (n + kMxfp4Rows - 1) / kMxfp4Rows;
  const int stride = kTeams * static_cast<int>(gridDim.x);
  const int spans = (blocks + kSpan - 1) / kSpan;

  struct Place {
    int tile, span;
  };
  const auto advance = [&](Place& place) {
    if constexpr (kOnce) {
      place.tile += stride;
    } else {
      place.span += kTeam;
      if (place.span >= spans) {
        place.tile += stride;
        place.span = rank;
      }
    }
  };
  const auto has_work = [&](const Place& place) { return (kOnce ? rank : place.span) < spans; };
  Place at{team * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x), rank};

  uint4 loaded[kSteps][2];
  std::uint32_t scale[kSteps][2];
  const auto load_step = [&](int s, int first, int second) {
    loaded[s][0] = LoadOnce(codes + first);
    loaded[s][1] = LoadOnce(codes + second);
    scale[s][0] = __ldg(scales + first);
    scale[s][1] = __ldg(scales + second);
  };
  // Where a lane's rows begin, in blocks, and the first block that it takes of each. Rows past the
  // last repeat it; nobody reads their sums. Blocks past the last repeat it where they are loaded:
  // x is zero for them, and a NaN the row's anyway.
  const auto load = [&](const Place& place) {
    if (place.tile >= tiles || !has_work(place)) {
      return;
    }
    const int row = place.tile * kMxfp4Rows + lane / 4;
    const int first = min(row, n - 1) * blocks;
    const int second = min(row + 8, n - 1) * blocks;
    const int start = (kOnce ? rank : place.span) * kSpan + quarter;
    if ((start / kSpan + 1) * kSpan <= blocks) {
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        load_step(s, first + start + 4 * s, second + start + 4 * s);
      }
    } else {
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        const int block = min(start + 4 * s, blocks - 1);
        load_step(s, first + block, second + block);
      }
    }
  };
  // A team's tile, whose rows lie one after the other.
  const auto fetch_ahead = [&](int tile) {
    if (rank == 0 && lane == 0 && tile < tiles) {
      const int first = tile * kMxfp4Rows * blocks;
      const int count = min(n - tile * kMxfp4Rows, kMxfp4Rows) * blocks;
      FetchAhead(scales + first, count);
      FetchAhead(codes + first, min(16 * count, kMostAhead));
    }
  };
  LetNextStart();
  fetch_ahead(at.tile);
  WaitForPrevious();
  load(at);
  if constexpr (kAhead) {
    fetch_ahead(at.tile + stride);
  }
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(kZeroBytes / 16);
       i += kMxfp4Threads) {
    shared[i] = {};
  }
  ShareHalves<kMxfp4Threads>(x, blocks, padded, shared_x, factors);
  __syncthreads();

  const ColumnUnits units(shared_x, zeros, lane, kOnce ? rank * kSpan : 0);
  const int span_bytes = units.active ? kSpan * 128 : 0;
  const float* const own_factors = factors + quarter + (kOnce ? rank * kSpan : 0);

  float first_row = 0, second_row = 0;
  for (int parity = 0; at.tile < tiles;) {
    const int done = at.tile;
    if (has_work(at)) {
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        float sums[4] = {};
        const int offset = (kOnce ? 0 : at.span * span_bytes) + s * 4 * 128;
        MultiplyBlocks(loaded[s][0], loaded[s][1], units.at, offset, sums);
        const float factor = own_factors[(kOnce ? 0 : at.span * kSpan) + 4 * s];
        first_row = TimesScale((sums[0] + sums[1]) * factor, scale[s][0], first_row);
        second_row = TimesScale((sums[2] + sums[3]) * factor, scale[s][1], second_row);
      }
    }
    advance(at);
    load(at);
    if constexpr (kAhead) {
      fetch_ahead(at.tile + stride);
    }
    if (!kOnce && at.tile == done) {
      continue;
    }
    const float sum = SumQuarters(first_row, second_row);
    if (quarter < 2) {
      team_sums[parity][warp][lane / 4 + 8 * quarter] = sum;
    }
    if constexpr (kTeam == kMxfp4Warps) {
      __syncthreads();
    } else {
      SyncWarps(team, kTeam);
    }
    const int row = done * kMxfp4Rows + lane;
    if (rank == 0 && lane < kMxfp4Rows && row < n) {
      float total = 0;
#pragma unroll
      for (int w = 0; w < kTeam; ++w) {
        total += team_sums[parity][warp + w][lane];
      }
      y[row] = total;
    }
    parity ^= 1;
    first_row = 0;
    second_row = 0;
  }
}

}  // namespace kernels::cuda
