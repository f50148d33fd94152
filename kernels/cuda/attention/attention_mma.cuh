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
// of its own lanes: no barrier between warps from the queries to the end. 16-byte units of a row
// are permuted by the slot's number, so that ldmatrix meets no bank twice.
#pragma once

#include <cstdint>

#include "kernels/cuda/attention/attention_parts.cuh"
#include "kernels/cuda/runtime/copy_async.cuh"

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
// Tiles of a warp that are fetched while the kernel before still runs. Four instead of one, in us:
// 67 MB of heads of 64 27.0 instead of 27.7 with a merging kernel, 27.1 and 26.9 without; 134 MB of
// heads of 128 50.7 instead of 49.7, and 50.1 instead of 49.3.
template <int kDim>
inline constexpr int kMmaTilesAhead = kDim == 64 ? 4 : 1;
template <int kDim>
inline constexpr int kMmaTileBytes = kMmaSlots* kDim * 2;  // of K or V
template <int kDim>
inline constexpr std::size_t kMmaRingBytes =
    std::size_t{kMmaWarps<kDim>} * kMmaStages * 2 * kMmaTileBytes<kDim>;  // of all warps
// Floats from one row of the queries to the next in shared memory, so that eight rows meet no bank
// twice.
template <int kDim>
inline constexpr int kMmaQueryRow = kDim + 8;
template <int kDim>
inline constexpr std::size_t kMmaSharedBytes = kMmaRingBytes<kDim> +
                                               kMmaTileHeads* kMmaQueryRow<kDim> * sizeof(float);

// More than the kernel's static shared memory. A block of an sm_86, sm_89 or sm_120 has 99 KiB for
// both, enough for heads of 64 and not for those of 128.
inline constexpr std::size_t kMmaStaticBytes = 256;
static_assert(kMmaSharedBytes<64> + kMmaStaticBytes <= std::size_t{99} << 10);

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

  // From shared memory, rows kMmaQueryRow apart.
  __device__ __forceinline__ void LoadQuery(const float* rows, int heads) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const bool mine = lane / 4 < heads;
    const float* const row = rows + (lane / 4) * kMmaQueryRow<kDim> + 2 * (lane % 4);
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

}  // namespace kernels::cuda
