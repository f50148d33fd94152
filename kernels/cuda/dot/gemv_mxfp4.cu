// SPDX-License-Identifier: Apache-2.0
// Long: the choice among four kernels, whose plans share their thresholds and padding.
#include <algorithm>
#include <climits>

#include "kernels/cuda/dot/gemv_mxfp4.h"
#include "kernels/cuda/dot/gemv_mxfp4_mma.cuh"
#include "kernels/cuda/dot/gemv_mxfp4_stream.cuh"
#include "kernels/cuda/dot/gemv_mxfp4_tile.cuh"
#include "kernels/cuda/dot/mxfp4.cuh"
#include "kernels/cuda/dot/weights.cuh"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"

// Tried on an H100, cold, in % of a copy's 3.0 TB/s at 128256 x 2048 and 65536 x 2880:
//   teams of two warps per 16 rows, 24 warps per SM: 83 and 66; 16 rows by two warps take so long
//   that 5.1 rounds of the grid last as long as 6, and at 28672 x 4096 1.1 as long as 2
//   a warp per row with fmas (fma): 5, for its reads of x are 128 bytes apart
//   all warps of a block on one tile, codes waiting in registers: 91 and 82; in rings of shared
//   memory, filled by cp.async of every lane: 83 and 75, by bulk copies: 91 and 87, with one ring
//   of 200 KB per SM instead of one of half as much per launch: 92 and 81
// and in us at 4096 x 4096 and 5760 x 2880, which have 256 and 360 tiles:
//   as above: 7.9 and 6.6, for x waits 3 us behind codes that wait for DRAM
//   a tile per block, codes by one bulk copy: 6.4 and 6.9; x converted for all tiles of a
//   multiprocessor at once: 7.1 and 7.3, since some got two blocks of one launch and others none
//   as many blocks as multiprocessors: 6.0 and 5.8; copies in the order of their use: 5.7 and 5.6
// Instructions of a lane per 32 weights, counted in the machine code of the loop: 80 at k = 2048,
// 74 at 2880, 71 at 4096, of which decoding takes 44 (60 when each pair of codes was decoded by
// itself), tensor products 4 and bit operations of any kind 41 to 44. While 32 weights per lane
// pass at 3.0 TB/s, an SM issues 162 instructions for them, at most 81 of them bit operations.

namespace kernels::cuda {
namespace {

// One thread per row, code by code.
__global__ void ReferenceKernel(const std::uint8_t* blocks, const std::uint8_t* scales,
                                const float* x, float* y, std::int64_t n, std::int64_t k) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= n) {
    return;
  }
  double sum = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    const std::int64_t at = row * k + i;
    const unsigned code = static_cast<unsigned>(blocks[at / 2]) >> (i % 2 == 0 ? 0 : 4) & 15U;
    const unsigned exponent = code >> 1 & 3U;
    const double fraction = 0.5 * (code & 1U);
    const double magnitude = exponent == 0 ? fraction : ldexp(1.0 + fraction, exponent - 1);
    const double scale = scales[at / 32] == 255 ? static_cast<double>(__int_as_float(0x7fffffff))
                                                : ldexp(1.0, scales[at / 32] - 127);
    sum += (code >= 8 ? -magnitude : magnitude) * scale * static_cast<double>(x[i]);
  }
  y[row] = static_cast<float>(sum);
}

// One warp per row, a block per lane.
template <bool kAligned>
__global__ void __launch_bounds__(kMxfp4Threads)
    FmaKernel(const std::uint8_t* codes, const std::uint8_t* scales, const float* x, float* y,
              std::int64_t n, std::int64_t blocks) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kMxfp4Warps + threadIdx.x / 32;
  if (row >= n) {
    return;
  }
  float total = 0;
  for (std::int64_t block = lane; block < blocks; block += 32) {
    const std::int64_t at = row * blocks + block;
    std::uint32_t words[4] = {};
    if constexpr (kAligned) {
      const uint4 load = LoadOnce(codes + 16 * at);
      words[0] = load.x, words[1] = load.y, words[2] = load.z, words[3] = load.w;
    } else {
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        words[i / 4] |= static_cast<std::uint32_t>(codes[16 * at + i]) << (8 * (i % 4));
      }
    }
    const float* const from = x + 32 * block;
    float sums[4] = {};
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      std::uint32_t pairs[4];
      DecodeCodes(words[word], pairs);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float2 weights = __half22float2(*reinterpret_cast<const __half2*>(&pairs[i]));
        sums[i] = fmaf(weights.x * 0x1p14F, __ldg(from + 8 * word + i), sums[i]);
        sums[i] = fmaf(weights.y * 0x1p14F, __ldg(from + 8 * word + i + 4), sums[i]);
      }
    }
    total = fmaf((sums[0] + sums[1]) + (sums[2] + sums[3]), DecodeScale(scales[at]), total);
  }
  total = SumOverLanes(total);
  if (lane == 0) {
    y[row] = total;
  }
}

void LaunchFma(const GemvMxfp4Args& args, const Context& context) {
  const auto* const codes = static_cast<const std::uint8_t*>(args.blocks.data);
  const auto grid = static_cast<unsigned>(CeilDiv(args.shape.n, kMxfp4Warps));
  const auto launch = [&](auto kernel) {
    kernel<<<grid, kMxfp4Threads, 0, context.stream>>>(
        codes, static_cast<const std::uint8_t*>(args.scales.data),
        static_cast<const float*>(args.x.data), static_cast<float*>(args.y.data), args.shape.n,
        args.shape.k / kMxfp4Block);
  };
  if (reinterpret_cast<std::uintptr_t>(codes) % 16 == 0) {
    launch(&FmaKernel<true>);
  } else {
    launch(&FmaKernel<false>);
  }
}

// Of dynamic shared memory for x, beside the sums of teams.
std::size_t MostVectorBytes(const Context& context) {
  return std::min(std::size_t{200} << 10, context.gpu->limits().shared_bytes - 2048);
}

// A function of shape and device alone: it decides the order of sums.
struct RowPlan {
  int team = 2, steps = 1;
  std::int64_t padded = 16;  // blocks of x in shared memory
};

RowPlan PlanRow(std::int64_t blocks, std::int64_t tiles, int multiprocessors) {
  RowPlan plan;
  const std::int64_t all = CeilDiv(blocks, 4);  // steps of a row
  // Small teams where there are many short rows, large ones where every tile has a block anyway.
  plan.team = all < kMxfp4Warps && tiles > multiprocessors ? 2 : kMxfp4Warps;
  plan.steps =
      static_cast<int>(std::min<std::int64_t>(CeilDiv(all, plan.team), std::int64_t{kMostSteps}));
  // Whole spans of x, and whole warps that fill it.
  plan.padded = CeilDiv(CeilDiv(blocks, 4 * plan.steps) * 4 * plan.steps, 16) * 16;
  return plan;
}

template <int kTeam, int kSteps, bool kOnce>
void LaunchVector(const GemvMxfp4Args& args, const Context& context, std::int64_t padded) {
  const std::int64_t most =
      std::int64_t{BlocksPerSm(kSteps)} * context.gpu->limits().multiprocessors;
  const Grid grid{.blocks = std::min(CeilDiv(args.shape.n, kMxfp4Rows), most),
                  .threads = kMxfp4Threads,
                  .shared = static_cast<int>(SharedBytes(padded)),
                  .early = true,
                  .most_shared = static_cast<int>(MostVectorBytes(context))};
  Launch("gemv_mxfp4", context, grid, &Mxfp4Kernel<kTeam, kSteps, kOnce>,
         static_cast<const uint4*>(args.blocks.data),
         static_cast<const std::uint8_t*>(args.scales.data), static_cast<const float*>(args.x.data),
         static_cast<float*>(args.y.data), static_cast<int>(args.shape.n),
         static_cast<int>(args.shape.k / kMxfp4Block), static_cast<int>(padded));
}

template <int kTeam>
void LaunchSteps(const GemvMxfp4Args& args, const Context& context, const RowPlan& plan) {
  switch (plan.steps) {
    case 1:
      return LaunchVector<kTeam, 1, true>(args, context, plan.padded);
    case 2:
      return LaunchVector<kTeam, 2, true>(args, context, plan.padded);
    case 3:
      return LaunchVector<kTeam, 3, true>(args, context, plan.padded);
    default:
      return LaunchVector<kTeam, 4, true>(args, context, plan.padded);
  }
}

// Of shorter rows too little is read to gain anything: 136 x 288 takes 1.9 us so, 1.7 otherwise.
constexpr std::int64_t kLeastBlocks = 32;

// What two blocks of a multiprocessor may have each, beside the little that is not dynamic.
std::int64_t MostTileBytes(const Context& context) {
  return static_cast<std::int64_t>(context.gpu->limits().shared_bytes) / 2 - 4096;
}

// The same of a ring, whose kernel has less that is not dynamic.
std::int64_t MostStreamBytes(const Context& context) {
  return static_cast<std::int64_t>(context.gpu->limits().shared_bytes) / 2 - 1024;
}

template <int kTiles, int kSteps>
void LaunchTiles(const GemvMxfp4Args& args, const Context& context, std::int64_t padded) {
  const std::int64_t blocks = args.shape.k / kMxfp4Block;
  const std::int64_t tiles = CeilDiv(args.shape.n, kMxfp4Rows);
  const std::int64_t all = context.gpu->limits().multiprocessors;
  const Grid grid{.blocks = 2 * tiles > all ? all : tiles,
                  .threads = TileThreads(kTiles),
                  .shared = static_cast<int>(TileSharedBytes(kTiles, padded, blocks)),
                  .early = true,
                  .most_shared = static_cast<int>(MostTileBytes(context))};
  Launch("gemv_mxfp4", context, grid, &Mxfp4TileKernel<kTiles, kSteps>,
         static_cast<const uint4*>(args.blocks.data),
         static_cast<const std::uint8_t*>(args.scales.data), static_cast<const float*>(args.x.data),
         static_cast<float*>(args.y.data), static_cast<int>(args.shape.n), static_cast<int>(blocks),
         static_cast<int>(padded));
}

template <int kTiles>
void LaunchTiles(const GemvMxfp4Args& args, const Context& context, const RowPlan& plan) {
  switch (plan.steps) {
    case 1:
      return LaunchTiles<kTiles, 1>(args, context, plan.padded);
    case 2:
      return LaunchTiles<kTiles, 2>(args, context, plan.padded);
    case 3:
      return LaunchTiles<kTiles, 3>(args, context, plan.padded);
    default:
      return LaunchTiles<kTiles, 4>(args, context, plan.padded);
  }
}

// All tiles at once, one block per multiprocessor, where this is possible.
bool LaunchAllTiles(const GemvMxfp4Args& args, const Context& context, const RowPlan& plan) {
  const GpuLimits& limits = context.gpu->limits();
  const std::int64_t blocks = args.shape.k / kMxfp4Block;
  const std::int64_t tiles =
      CeilDiv(CeilDiv(args.shape.n, kMxfp4Rows), limits.multiprocessors);  // of a block
  if (limits.sm < 90 || tiles > kMostTiles || plan.team != kMxfp4Warps || blocks < kLeastBlocks ||
      blocks > kMxfp4Warps * kMostSteps * 4 ||
      reinterpret_cast<std::uintptr_t>(args.scales.data) % 16 != 0 ||
      TileSharedBytes(tiles, plan.padded, blocks) > MostTileBytes(context)) {
    return false;
  }
  tiles == 1   ? LaunchTiles<1>(args, context, plan)
  : tiles == 2 ? LaunchTiles<2>(args, context, plan)
               : LaunchTiles<3>(args, context, plan);
  return true;
}

template <int kSteps>
void LaunchStream(const GemvMxfp4Args& args, const Context& context, std::int64_t padded,
                  std::int64_t stages) {
  const std::int64_t blocks = args.shape.k / kMxfp4Block;
  const Grid grid{.blocks = context.gpu->limits().multiprocessors,
                  .threads = kStreamThreads,
                  .shared = static_cast<int>(StreamSharedBytes(stages, padded, blocks)),
                  .early = true,
                  .most_shared = static_cast<int>(MostStreamBytes(context))};
  Launch("gemv_mxfp4", context, grid, &Mxfp4StreamKernel<kSteps>,
         static_cast<const uint4*>(args.blocks.data),
         static_cast<const std::uint8_t*>(args.scales.data), static_cast<const float*>(args.x.data),
         static_cast<float*>(args.y.data), static_cast<int>(args.shape.n), static_cast<int>(blocks),
         static_cast<int>(padded), static_cast<int>(stages));
}

// Through a ring, where it has room for enough tiles. 28672 x 4096 with two stages takes 28.9 us,
// with codes that wait in registers 24.2; 65536 x 2880 with three 38.7 and with four 38.0, 40.4.
bool LaunchRing(const GemvMxfp4Args& args, const Context& context, const RowPlan& plan) {
  constexpr std::int64_t kLeastStages = 3;
  static_assert(kLeastStages >= kStreamTeams);
  const std::int64_t blocks = args.shape.k / kMxfp4Block;
  const std::int64_t room = MostStreamBytes(context) - StreamSharedBytes(0, plan.padded, blocks);
  const std::int64_t stages =
      std::min<std::int64_t>(room / StageBytes(blocks), std::int64_t{kMostStages});
  if (context.gpu->limits().sm < 90 || plan.team != kMxfp4Warps || plan.steps < 2 ||
      blocks > kMxfp4Warps * kMostSteps * 4 || stages < kLeastStages ||
      reinterpret_cast<std::uintptr_t>(args.scales.data) % 16 != 0) {
    return false;
  }
  plan.steps == 2   ? LaunchStream<2>(args, context, plan.padded, stages)
  : plan.steps == 3 ? LaunchStream<3>(args, context, plan.padded, stages)
                    : LaunchStream<4>(args, context, plan.padded, stages);
  return true;
}

void LaunchTensor(const GemvMxfp4Args& args, const Context& context) {
  if (args.shape.n == 0) {
    return;
  }
  const std::int64_t blocks = args.shape.k / kMxfp4Block;
  const GpuLimits& limits = context.gpu->limits();
  const RowPlan plan = PlanRow(blocks, CeilDiv(args.shape.n, kMxfp4Rows), limits.multiprocessors);
  const bool aligned = reinterpret_cast<std::uintptr_t>(args.blocks.data) % 16 == 0;
  const bool countable = args.shape.n * blocks <= INT_MAX / 2;  // in 32 bits
  if (!aligned || !countable || SharedBytes(plan.padded) > MostVectorBytes(context)) {
    LaunchFma(args, context);
  } else if (LaunchAllTiles(args, context, plan) || LaunchRing(args, context, plan)) {
    return;
  } else if (plan.team == 2) {
    LaunchSteps<2>(args, context, plan);
  } else if (blocks <= kMxfp4Warps * kMostSteps * 4) {
    LaunchSteps<kMxfp4Warps>(args, context, plan);
  } else {
    LaunchVector<kMxfp4Warps, kMostSteps, false>(args, context, plan.padded);
  }
}

}  // namespace

void GemvMxfp4Reference(const GemvMxfp4Args& args, const Context& context) {
  if (args.shape.n == 0) {
    return;
  }
  ReferenceKernel<<<static_cast<unsigned>(CeilDiv(args.shape.n, 128)), 128, 0, context.stream>>>(
      static_cast<const std::uint8_t*>(args.blocks.data),
      static_cast<const std::uint8_t*>(args.scales.data), static_cast<const float*>(args.x.data),
      static_cast<float*>(args.y.data), args.shape.n, args.shape.k);
  CheckLaunch("gemv_mxfp4/impl:reference");
}

void GemvMxfp4Vector(const GemvMxfp4Args& args, const Context& context) {
  LaunchTensor(args, context);
  CheckLaunch("gemv_mxfp4/impl:vector");
}

void GemvMxfp4Fma(const GemvMxfp4Args& args, const Context& context) {
  if (args.shape.n > 0) {
    LaunchFma(args, context);
  }
  CheckLaunch("gemv_mxfp4/impl:fma");
}

}  // namespace kernels::cuda
