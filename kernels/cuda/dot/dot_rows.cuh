// SPDX-License-Identifier: Apache-2.0
// Long: one loop, whose stages share registers: a call in between would spill them.
//
// dot_rows.cuh: the products of all rows of a weight matrix with one vector, as gemv and
// logits_argmax share them, so that their sums have the same bits.
//
// A grid of persistent blocks, a few per SM. Each block keeps x in shared memory; a row belongs to
// a team of 1, 4 or 16 of its warps, which take the row's chunks in turn; where a row is too short
// to keep a warp's loads in flight, the warp takes two rows at once. Rows go to blocks in turn, so
// that all SMs end together and neighbouring rows are in flight at once. The first loads of weights
// are issued before x is read, and those of a row before the last row's sum.
#pragma once

#include <cstdint>

#include "kernels/cuda/dot/dot_plan.h"
#include "kernels/cuda/dot/weights.cuh"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/phase_barrier.cuh"

namespace kernels::cuda {

// Elements 4 i to 4 i + 3 of x, zeros from `length` on. `aligned`: x starts on 16 bytes. Plain
// loads: the kernel before may have written x while this one was up already, and ld.global.nc is
// for what nobody writes as long as the kernel runs.
__device__ __forceinline__ float4 QuadOf(const float* x, int i, int length, bool aligned) {
  if (aligned && 4 * i + 3 < length) {
    return reinterpret_cast<const float4*>(x)[i];
  }
  return {4 * i < length ? x[4 * i] : 0.0F, 4 * i + 1 < length ? x[4 * i + 1] : 0.0F,
          4 * i + 2 < length ? x[4 * i + 2] : 0.0F, 4 * i + 3 < length ? x[4 * i + 3] : 0.0F};
}

// When the first weights may be loaded.
enum class Weights : std::uint8_t {
  kOfAnyKernel,  // the kernel before may have written them
  kAtRest,       // written before anything that is still queued: loaded while that runs
};

// Puts quad(0), quad(1) and so on where DotRows looks for x. Of every 16 bytes of bf16 weights the
// first four elements of x go to one half of the memory and the others to the other, so that lanes
// read 16 bytes side by side.
template <class T, class Quad>
__device__ __forceinline__ void ShareQuads(int chunks, int slice_chunks, float4* xs, Quad&& quad) {
  constexpr int kQuads = kPerLoad<T> / 4;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < chunks * (kPerChunk<T> / 4); i += kDotThreads) {
    xs[i % kQuads * 32 * slice_chunks + i / kQuads] = quad(i);
  }
}

// Calls sink(row, sum over this block's slice) once for each row of this block, in one lane of the
// row's team, rows of a team in rising order. share(begin, length, chunks) fills `xs`, which has
// plan.shared_bytes, for that part of k; ready() makes the sink when all threads have shared.
// A sink that has Fetch(row) gets what that returned, from before the row's products, as a third
// argument. kPairs: rows come in pairs i, i + n / 2, one right after the other in the same lane.
template <class T, bool kAligned, int kTeam, int kRows, bool kPairs, Weights kWeights, class Share,
          class Ready>
__device__ __forceinline__ void DotRowsOf(const T* weight, std::int64_t n, std::int64_t k,
                                          int slice_chunks, float4* xs, Share&& share,
                                          Ready&& ready) {
  constexpr int kTeams = kDotWarps / kTeam;
  constexpr int kQuads = kPerLoad<T> / 4;
  constexpr int kLoads = kDotInFlight / kRows;         // of each row
  constexpr int kSums = kRows == 1 ? kPerLoad<T> : 4;  // of each row and lane
  // A warp's sums of its team's last two rows: a row's phase ends only when the first warp has
  // arrived, which has then added up the row before.
  __shared__ float team_sums[2][kDotWarps];
  __shared__ PhaseBarrier summed[kTeams];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int team = warp / kTeam;
  const int rank = warp % kTeam;
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.y) * slice_chunks * kPerChunk<T>;
  const int length =
      static_cast<int>(min(static_cast<std::int64_t>(slice_chunks) * kPerChunk<T>, k - begin));
  const int chunks = (length + kPerChunk<T> - 1) / kPerChunk<T>;
  const int full = length / kPerChunk<T>;  // chunks with elements for every lane

  // Of kRows neighbouring rows, or of a pair.
  const std::int64_t units = kPairs ? n / 2 : (n + kRows - 1) / kRows;
  const std::int64_t apart = kPairs ? n / 2 : 1;  // rows of a unit
  const std::int64_t stride = static_cast<std::int64_t>(kTeams) * gridDim.x;
  std::int64_t unit = static_cast<std::int64_t>(team) * gridDim.x + blockIdx.x;
  constexpr bool kOneStep = kRows > 1;  // the plan's promise: all chunks of a row in one step
  int chunk = kOneStep ? 0 : rank;
  int half = 0;  // which row of the pair, where a warp takes one at a time
  const auto first_row = [&] { return kPairs ? unit + half * apart : unit * kRows; };
  const auto all_full = [&] { return chunk + (kLoads - 1) * kTeam < full; };
  uint4 loaded[kRows][kLoads];
  const auto load = [&] {
    const int first = chunk * kPerChunk<T> + lane * kPerLoad<T>;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      // The row after the last repeats it; nobody takes its sum.
      const std::int64_t row =
          kRows == 1 || kPairs ? first_row() + r * apart : min(unit * kRows + r, n - 1);
      const T* const at = weight + row * k + begin;
      if (kAligned && all_full()) {
#pragma unroll
        for (int u = 0; u < kLoads; ++u) {
          loaded[r][u] = LoadOnce(at + first + u * kTeam * kPerChunk<T>);
        }
      } else {
#pragma unroll
        for (int u = 0; u < kLoads; ++u) {
          if (chunk + u * kTeam < chunks) {
            const int from = first + u * kTeam * kPerChunk<T>;
            if constexpr (kAligned) {
              // Lanes past the end load the row's start, which `add` replaces by zeros.
              loaded[r][u] = LoadOnce(at + (from < length ? from : 0));
            } else {
              loaded[r][u] = LoadWeights<T, false>(at, from, length);
            }
          }
        }
      }
    }
  };
  LetNextStart();
  if (kTeam > 1 && rank == 0 && lane == 0) {
    InitPhases(&summed[team], kTeam);
  }
  if (rank == 0 && lane == 0) {
    // The team's next rows, as many as its share of kDotAheadBytes has room for.
    constexpr int kNeighbours = kPairs ? 1 : kRows;
    std::int64_t left = kDotAheadBytes / static_cast<std::int64_t>(sizeof(T)) /
                        (std::int64_t{kTeams} * gridDim.x * gridDim.y);
    for (std::int64_t u = unit; u < units && left > 0; u += stride) {
#pragma unroll
      for (int r = 0; r < (kPairs ? 2 : 1); ++r) {
        const std::int64_t first = u * kNeighbours + r * apart;
        const std::int64_t here =
            kNeighbours == 1 ? length : min(std::int64_t{kNeighbours}, n - first) * k;
        const std::int64_t elements = min(left, here);
        FetchAhead(weight + first * k + begin, elements * static_cast<std::int64_t>(sizeof(T)));
        left -= elements;
      }
    }
  }
  if (kWeights == Weights::kAtRest && unit < units) {
    load();
  }
  WaitForPrevious();
  if (kWeights == Weights::kOfAnyKernel && unit < units) {
    load();
  }
  share(begin, length, chunks);
  __syncthreads();
  auto&& sink = ready();
  constexpr bool kFetches = requires { sink.Fetch(std::int64_t{}); };
  const auto fetch = [&](std::int64_t row) {
    if constexpr (kFetches) {
      return sink.Fetch(row);
    } else {
      return 0;
    }
  };
  decltype(fetch(0)) fetched[kRows] = {};
  const auto put = [&](std::int64_t row, float sum, int r) {
    if constexpr (kFetches) {
      sink(row, sum, fetched[r]);
    } else {
      sink(row, sum);
    }
  };

  float sums[kRows][kSums] = {};
  const float4* const quads = xs + lane;
  for (unsigned turn = 0; unit < units;) {
    const float4* const at = quads + 32 * chunk;
    if constexpr (kFetches) {
      if (lane == 0 && rank == 0 && chunk == 0) {
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
          fetched[r] = fetch(min(first_row() + r * apart, n - 1));
        }
      }
    }
    const auto add = [&](int u) {
#pragma unroll
      for (int q = 0; q < kQuads; ++q) {
        const float4 v = at[32 * (q * slice_chunks + u * kTeam)];
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
          float* const to = &sums[r][4 * q % kSums];
          to[0] = fmaf(Weight<T>(loaded[r][u], 4 * q), v.x, to[0]);
          to[1] = fmaf(Weight<T>(loaded[r][u], 4 * q + 1), v.y, to[1]);
          to[2] = fmaf(Weight<T>(loaded[r][u], 4 * q + 2), v.z, to[2]);
          to[3] = fmaf(Weight<T>(loaded[r][u], 4 * q + 3), v.w, to[3]);
        }
      }
    };
    if (all_full()) {
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        add(u);
      }
    } else {
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        if (chunk + u * kTeam < chunks) {
          if (kAligned && chunk + u * kTeam >= full &&
              (chunk + u * kTeam) * kPerChunk<T> + lane * kPerLoad<T> >= length) {
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
              loaded[r][u] = {};
            }
          }
          add(u);
        }
      }
    }
    const std::int64_t done = first_row();
    chunk += kOneStep ? 0 : kLoads * kTeam;
    const bool more = !kOneStep && chunk < chunks;
    if (!more) {
      if (kPairs && kRows == 1 && half == 0) {
        half = 1;
      } else {
        half = 0;
        unit += stride;
      }
      chunk = kOneStep ? 0 : rank;
    }
    if (unit < units) {
      load();
    }
    if (more) {
      continue;
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float sum = SumOverLanes(SumOf(sums[r]));
      const std::int64_t row = done + r * apart;
      if constexpr (kTeam == 1) {
        if (lane == 0 && (kRows == 1 || row < n)) {
          put(row, sum, r);
        }
      } else {
        if (lane == 0) {
          const unsigned parity = turn & 1U;
          if (rank != 0 && turn > 0) {
            AwaitPhase(&summed[team], parity ^ 1U);
          }
          team_sums[parity][warp] = sum;
          ArriveAtPhase(&summed[team]);
          if (rank == 0) {
            AwaitPhase(&summed[team], parity);
            float total = 0;
            for (int w = 0; w < kTeam; ++w) {
              total += team_sums[parity][warp + w];
            }
            put(row, total, r);
          }
        }
        ++turn;
      }
#pragma unroll
      for (float& s : sums[r]) {
        s = 0;
      }
    }
  }
}

// With one vector for all rows, as it lies in memory.
template <class T, bool kAligned, int kTeam, int kRows, class Sink>
__device__ __forceinline__ void DotRows(const T* weight, const float* x, std::int64_t n,
                                        std::int64_t k, int slice_chunks, float4* xs, Sink&& sink) {
  const auto share = [&](std::int64_t begin, int length, int chunks) {
    const float* const from = x + begin;
    const bool aligned = reinterpret_cast<std::uintptr_t>(from) % 16 == 0;
    ShareQuads<T>(chunks, slice_chunks, xs,
                  [&](int i) { return QuadOf(from, i, length, aligned); });
  };
  DotRowsOf<T, kAligned, kTeam, kRows, false, Weights::kOfAnyKernel>(
      weight, n, k, slice_chunks, xs, share, [&]() -> Sink& { return sink; });
}

inline Grid GridOf(const DotPlan& plan) {
  return {.blocks = plan.blocks,
          .threads = kDotThreads,
          .shared = static_cast<int>(plan.shared_bytes),
          .early = true,
          .blocks_y = static_cast<int>(plan.slices),
          .most_shared = static_cast<int>(kDotSharedBytes)};
}

// f(Teams<1, 1>{}) and so on for the plan's team and rows.
template <int kWarps, int kRowsAtOnce>
struct Teams {
  static constexpr int warps = kWarps, rows = kRowsAtOnce;
};
template <class F>
void ForTeam(const DotPlan& plan, F&& f) {
  if (plan.rows == 2) {
    return f(Teams<1, 2>{});
  }
  switch (plan.team) {
    case 1:
      return f(Teams<1, 1>{});
    case 4:
      return f(Teams<4, 1>{});
    default:
      return f(Teams<16, 1>{});
  }
}

}  // namespace kernels::cuda
