// SPDX-License-Identifier: Apache-2.0
// attention_mma.cuh: attention over a bf16 cache by tensor cores, with float32 accuracy.
//
// An fma per cached element and query head would keep the CUDA cores half busy for a group of 4 and
// more than busy for a group of 8; mma.m16n8k16 takes all heads of a tile at once. Queries and
// weights are float32: each is cut into three bf16 values that add up to it exactly. The first two
// are rows h and h + 8 of one product, the third is row h of a second one, so nothing is lost to
// bf16, only to the order of float32 sums.
//
// Each warp has a ring of stages in shared memory, of 16 slots of K and V each, filled by cp.async
// of its own lanes: no barrier between warps until the end. 16-byte units of a row are permuted by
// the slot's number, so that ldmatrix meets no bank twice.
#pragma once

#include <cstdint>

#include "kernels/cuda/attention_parts.cuh"

namespace kernels::cuda {

inline constexpr int kMmaTileHeads = 8;
inline constexpr int kMmaSlots = 16;

inline constexpr int kMmaStages = 3;
// Two blocks per SM where registers and shared memory hold them: one starts while another ends,
// also where they belong to two kernels.
constexpr int MmaBlocksPerSm(int sm) { return sm >= 90 ? 2 : 1; }
#if defined(__CUDA_ARCH__)
inline constexpr int kMmaBlocksPerSm = __CUDA_ARCH__ >= 900 ? 2 : 1;
#else
inline constexpr int kMmaBlocksPerSm = 2;  // the host compiles no kernel
#endif
template <int kDim>
inline constexpr int kMmaWarps = kDim == 64 ? 8 : 4;
template <int kDim>
inline constexpr int kMmaTileBytes = kMmaSlots* kDim * 2;  // of K or V
template <int kDim>
inline constexpr std::size_t kMmaSharedBytes =
    std::size_t{kMmaWarps<kDim>} * kMmaStages * 2 * kMmaTileBytes<kDim>;

// Three bf16 values, in the upper halves of floats, that add up to a float32 exactly where it is
// finite and above 2^-110.
struct Pieces {
  float first, second, third;
};

__device__ __forceinline__ float UpperHalf(float x) {
  return __uint_as_float(__float_as_uint(x) & 0xffff0000U);
}

__device__ __forceinline__ Pieces Cut(float x) {
  const float first = UpperHalf(x);
  const float rest = x - first;
  const float second = UpperHalf(rest);
  return {first, second, rest - second};
}

// The upper halves of two floats, the first in the lower half.
__device__ __forceinline__ std::uint32_t Pack(float low, float high) {
  return __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x7632);
}

// d += a b: 16 x 16 times 16 x 8, bf16 with float32 sums.
__device__ __forceinline__ void Mma(float (&d)[4], std::uint32_t a0, std::uint32_t a1,
                                    std::uint32_t a2, std::uint32_t a3, std::uint32_t b0,
                                    std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

// Four 8 x 8 matrices of 16-bit elements, lane l naming row l % 8 of matrix l / 8.
template <bool kTransposed>
__device__ __forceinline__ void LoadMatrices(std::uint32_t address, std::uint32_t (&m)[4]) {
  if constexpr (kTransposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(address)
                 : "memory");
  }
}

// 16 bytes to shared memory, or zeros; `from` must be a valid address either way.
__device__ __forceinline__ void CopyAsync(std::uint32_t to, const void* from, bool wanted) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
               "r"(wanted ? 16 : 0)
               : "memory");
}
__device__ __forceinline__ void CommitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int kPending>
__device__ __forceinline__ void WaitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

// Where unit `unit` (16 bytes) of a slot's row lies in a tile.
template <int kDim>
__device__ __forceinline__ int TileOffset(int slot, int unit) {
  return slot * (2 * kDim) + ((unit ^ (slot & 7)) * 16);
}

// One warp's share of a block: tiles of 16 slots of the chunk, taken in turn with the other warps.
template <int kDim>
struct MmaWarp {
  static constexpr int kSteps = kDim / 16;
  static constexpr int kTile = kMmaTileBytes<kDim>;

  // Lane l belongs to head l / 4 of the tile.
  std::uint32_t q[kSteps][4];      // first and second pieces
  std::uint32_t third[kSteps][2];  // third pieces
  float out[kDim / 8][4];          // [0], [1] from the first and third pieces, [2], [3] the second
  float max, sum;

  __device__ __forceinline__ void LoadQuery(const float* rows, int dim_stride, int heads) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const bool mine = lane / 4 < heads;
    const float* const row = rows + (lane / 4) * dim_stride + 2 * (lane % 4);
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int at = 16 * s + 8 * half;
        const Pieces low = Cut(mine ? row[at] : 0.0F);
        const Pieces high = Cut(mine ? row[at + 1] : 0.0F);
        q[s][2 * half] = Pack(low.first, high.first);
        q[s][2 * half + 1] = Pack(low.second, high.second);
        third[s][half] = Pack(low.third, high.third);
      }
    }
#pragma unroll
    for (auto& o : out) {
      o[0] = o[1] = o[2] = o[3] = 0;
    }
    max = MinusInfinity();
    sum = 0;
  }

  // Takes the tile at shared address `k`, V behind K, of which the first `slots` count.
  __device__ __forceinline__ void Attend(std::uint32_t k, int slots, float scale_log2) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int matrix = lane / 8;
    float sums[2][4] = {};
    {
      const int slot = matrix / 2 * 8 + lane % 8;
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        std::uint32_t b[4];
        LoadMatrices<false>(k + TileOffset<kDim>(slot, 2 * s + matrix % 2), b);
        Mma(sums[0], q[s][0], q[s][1], q[s][2], q[s][3], b[0], b[1]);
        Mma(sums[1], q[s][0], q[s][1], q[s][2], q[s][3], b[2], b[3]);
        Mma(sums[0], third[s][0], 0, third[s][1], 0, b[0], b[1]);
        Mma(sums[1], third[s][0], 0, third[s][1], 0, b[2], b[3]);
      }
    }
    // Of this lane's head: slots 2 (lane % 4), that plus 1, and the same plus 8.
    float weight[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int slot = 2 * (lane % 4) + i % 2 + 8 * (i / 2);
      const float score = sums[i / 2][i % 2] + sums[i / 2][i % 2 + 2];
      weight[i] = slot < slots ? score * scale_log2 : MinusInfinity();
    }
    float highest = fmaxf(fmaxf(weight[0], weight[1]), fmaxf(weight[2], weight[3]));
    highest = fmaxf(highest, __shfl_xor_sync(0xffffffffU, highest, 1));
    highest = fmaxf(highest, __shfl_xor_sync(0xffffffffU, highest, 2));
    if (__any_sync(0xffffffffU, highest > max)) {
      const float higher = fmaxf(max, highest);
      const float factor = Exp2(max - BaseOf(higher));
      max = higher;
      sum *= factor;
#pragma unroll
      for (auto& o : out) {
        o[0] *= factor;
        o[1] *= factor;
        o[2] *= factor;
        o[3] *= factor;
      }
    }
    const float base = BaseOf(max);
    Pieces w[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      weight[i] = Exp2(weight[i] - base);
      w[i] = Cut(weight[i]);
    }
    sum += (weight[0] + weight[1]) + (weight[2] + weight[3]);
    const std::uint32_t a0 = Pack(w[0].first, w[1].first), a1 = Pack(w[0].second, w[1].second);
    const std::uint32_t a2 = Pack(w[2].first, w[3].first), a3 = Pack(w[2].second, w[3].second);
    const std::uint32_t c0 = Pack(w[0].third, w[1].third), c2 = Pack(w[2].third, w[3].third);
    const std::uint32_t v = k + kTile;
    const int slot = matrix % 2 * 8 + lane % 8;
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      std::uint32_t b[4];
      LoadMatrices<true>(v + TileOffset<kDim>(slot, 2 * s + matrix / 2), b);
      Mma(out[2 * s], a0, a1, a2, a3, b[0], b[1]);
      Mma(out[2 * s + 1], a0, a1, a2, a3, b[2], b[3]);
      Mma(out[2 * s], c0, 0, c2, 0, b[0], b[1]);
      Mma(out[2 * s + 1], c0, 0, c2, 0, b[2], b[3]);
    }
  }

  // This warp's part to shared memory: sums [8][kDim], states [8].
  __device__ __forceinline__ void Store(float* sums, float2* states) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    sum += __shfl_xor_sync(0xffffffffU, sum, 1);
    sum += __shfl_xor_sync(0xffffffffU, sum, 2);
    auto* const row = reinterpret_cast<float2*>(sums + lane / 4 * kDim) + lane % 4;
#pragma unroll
    for (int n = 0; n < kDim / 8; ++n) {
      row[4 * n] = make_float2(out[n][0] + out[n][2], out[n][1] + out[n][3]);
    }
    if (lane % 4 == 0) {
      states[lane / 4] = make_float2(max, sum);
    }
  }
};

// One head of several parts, added by one warp: lane l has columns 4 (l % (kDim / 4)) and the next
// three of the sum.
struct HeadSum {
  float4 sum;
  float max, total;
};

__device__ __forceinline__ void AddPart(float4& sum, float weight, float4 part) {
  sum.x = fmaf(weight, part.x, sum.x);
  sum.y = fmaf(weight, part.y, sum.y);
  sum.z = fmaf(weight, part.z, sum.z);
  sum.w = fmaf(weight, part.w, sum.w);
}

template <int kDim>
__device__ __forceinline__ HeadSum MergeHead(const float* sums, const float2* states, int count,
                                             int head) {
  constexpr int kRow = kDim / 4;    // in float4
  constexpr int kSets = 32 / kRow;  // parts that a warp takes at once
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int set = lane / kRow;
  const float4* const from = reinterpret_cast<const float4*>(sums) + head * kRow + lane % kRow;
  HeadSum result{{}, MinusInfinity(), 0};
#pragma unroll 1
  for (int i = lane; i < count; i += 32) {
    result.max = fmaxf(result.max, states[i * kMmaTileHeads + head].x);
  }
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) {
    result.max = fmaxf(result.max, __shfl_xor_sync(0xffffffffU, result.max, apart));
  }
  const float base = BaseOf(result.max);
#pragma unroll 1
  for (int first = 0; first < count; first += 32) {
    float weight = 0;
    if (first + lane < count) {
      const float2 state = states[(first + lane) * kMmaTileHeads + head];
      weight = Exp2(state.x - base);
      result.total = fmaf(weight, state.y, result.total);
    }
    const int parts = min(32, count - first);
#pragma unroll 4
    for (int i = 0; i < parts; i += kSets) {
      const float of_part = __shfl_sync(0xffffffffU, weight, i + set);
      if (kSets == 1 || i + set < parts) {
        AddPart(result.sum, of_part, from[(first + i + set) * kMmaTileHeads * kRow]);
      }
    }
  }
  result.total = SumOverLanes(result.total);
  if constexpr (kSets == 2) {
    result.sum.x += __shfl_xor_sync(0xffffffffU, result.sum.x, 16);
    result.sum.y += __shfl_xor_sync(0xffffffffU, result.sum.y, 16);
    result.sum.z += __shfl_xor_sync(0xffffffffU, result.sum.z, 16);
    result.sum.w += __shfl_xor_sync(0xffffffffU, result.sum.w, 16);
  }
  return result;
}

// `out` is aligned to one float only.
template <int kDim>
__device__ __forceinline__ void PutHead(const HeadSum& head, float* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (lane < kDim / 4) {
    const float inverse = 1.0F / head.total;
    out[4 * lane] = head.sum.x * inverse;
    out[4 * lane + 1] = head.sum.y * inverse;
    out[4 * lane + 2] = head.sum.z * inverse;
    out[4 * lane + 3] = head.sum.w * inverse;
  }
}

// Adds the warps' parts in shared memory, and in the last block of an item those of its chunks; one
// warp per head. The same code serves both, for code that runs once costs its loading.
template <int kDim, bool kMergeHere>
__device__ __forceinline__ void FinishMma(const AttentionWork& work, const AttentionBlock& block,
                                          const float* sums, const float2* states) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t first_part = block.item * work.chunks;
  int count = kMmaWarps<kDim>;
  bool last = block.active == 1;
#pragma unroll 1
  while (true) {
#pragma unroll 1
    for (int head = static_cast<int>(threadIdx.x) / 32; head < block.heads;
         head += kMmaWarps<kDim>) {
      const HeadSum result = MergeHead<kDim>(sums, states, count, head);
      if (last) {
        PutHead<kDim>(result,
                      work.out + (block.sequence * work.heads + block.first_head + head) * kDim);
      } else {
        const std::int64_t at = (first_part + block.chunk) * kMmaTileHeads + head;
        if (lane < kDim / 4) {
          reinterpret_cast<float4*>(work.sums + at * kDim)[lane] = result.sum;
        }
        if (lane == 0) {
          work.states[at] = make_float2(result.max, result.total);
        }
      }
    }
    if (last || !kMergeHere ||
        !IsLastBlock(work.counters + block.item, static_cast<unsigned>(block.active))) {
      return;
    }
    last = true;
    count = block.active;
    sums = work.sums + first_part * kMmaTileHeads * kDim;
    states = work.states + first_part * kMmaTileHeads;
  }
}

template <int kDim, bool kMergeHere>
__global__ void __launch_bounds__(32 * kMmaWarps<kDim>, kMmaBlocksPerSm)
    MmaKernel(AttentionWork work) {
  using Warp = MmaWarp<kDim>;
  constexpr int kStages = kMmaStages;
  constexpr int kWarps = kMmaWarps<kDim>;
  constexpr int kTile = Warp::kTile;
  constexpr int kUnits = kDim / 8;           // of 16 bytes in a row
  constexpr int kRowsPerCopy = 32 / kUnits;  // slots that one copy of all lanes covers
  extern __shared__ float4 shared[];
  LetNextStart();
  if (work.lengths != nullptr) {
    WaitForPrevious();
  }
  AttentionBlock block;
  if (!FindBlock(work, &block)) {
    return;
  }
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int slots = block.end - block.begin;
  const int tiles = (slots + kMmaSlots - 1) / kMmaSlots;
  const std::uint32_t ring = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)) +
                             static_cast<std::uint32_t>(warp * kStages * 2 * kTile);

  const std::int64_t stride = static_cast<std::int64_t>(work.kv_heads) * kDim * 2;  // bytes
  const int row = lane / kUnits;
  const int unit = lane % kUnits;
  const std::int64_t start = (block.sequence * work.capacity + block.begin + row) * stride +
                             static_cast<std::int64_t>(block.kv_head) * kDim * 2 + unit * 16;
  const auto* const k = static_cast<const std::byte*>(work.k) + start;
  const auto* const v = static_cast<const std::byte*>(work.v) + start;
  const auto fetch = [&](int tile, int stage) {
    if (tile < tiles) {
      const std::uint32_t to = ring + static_cast<std::uint32_t>(stage * 2 * kTile);
      const std::int64_t at = tile * kMmaSlots * stride;
      const int rest = slots - tile * kMmaSlots - row;
#pragma unroll
      for (int i = 0; i < kMmaSlots / kRowsPerCopy; ++i) {
        const bool wanted = i * kRowsPerCopy < rest;
        const std::int64_t from = wanted ? at + i * kRowsPerCopy * stride : 0;
        const auto offset =
            static_cast<std::uint32_t>(TileOffset<kDim>(i * kRowsPerCopy + row, unit));
        CopyAsync(to + offset, k + (wanted ? from : -row * stride), wanted);
        CopyAsync(to + kTile + offset, v + (wanted ? from : -row * stride), wanted);
      }
    }
    CommitCopies();  // an empty group keeps the count
  };

  if (work.lengths == nullptr) {
    // The warp's first tile, a row of K or V per lane.
    const int slot = warp * kMmaSlots + lane % kMmaSlots;
    if (slot < slots) {
      const auto* const rows = static_cast<const std::byte*>(lane < kMmaSlots ? work.k : work.v);
      FetchAhead(rows + start + (slot - row) * stride - unit * 16, 2 * kDim);
    }
    WaitForPrevious();
  }

  Warp state;
  int stage = 0, filled = 0;
  // The first kStages - 1 rounds only fetch: there is one copy of that code.
#pragma unroll 1
  for (int tile = warp - (kStages - 1) * kWarps; tile < tiles; tile += kWarps) {
    if (tile >= 0) {
      WaitForCopies<kStages - 2>();
      __syncwarp();  // every lane's copies are here, and the stage to fill next has been read
    }
    fetch(tile + (kStages - 1) * kWarps, filled);
    filled = filled + 1 == kStages ? 0 : filled + 1;
    if (tile < 0) {
      if (tile + kWarps >= 0) {
        state.LoadQuery(work.q + (block.sequence * work.heads + block.first_head) * kDim, kDim,
                        block.heads);
      }
      continue;
    }
    state.Attend(ring + static_cast<std::uint32_t>(stage * 2 * kTile), slots - tile * kMmaSlots,
                 work.scale_log2);
    stage = stage + 1 == kStages ? 0 : stage + 1;
  }
  WaitForCopies<0>();
  __syncthreads();  // the rings become memory for the parts
  auto* const sums = reinterpret_cast<float*>(shared);
  auto* const states = reinterpret_cast<float2*>(sums + kWarps * kMmaTileHeads * kDim);
  static_assert(kWarps * kMmaTileHeads * (kDim * 4 + 8) <= kMmaSharedBytes<kDim>);
  state.Store(sums + warp * kMmaTileHeads * kDim, states + warp * kMmaTileHeads);
  __syncthreads();
  FinishMma<kDim, kMergeHere>(work, block, sums, states);
}

}  // namespace kernels::cuda
