// SPDX-License-Identifier: Apache-2.0
// attention.h: body of decode_attention (contract: kernels/decode_attention.h)
//
// A tile of up to 8 query heads of one group shares each read of K and V. Heads are taken four at a
// time, so that the sums over lanes of four scores cost little more than one. Per head: a score is
// one accumulator of 16 lanes; a chunk's weights are summed as in lanes.h; slots enter the output
// in order. Chunks are 64 slots at every level and for every length.
#pragma once

#include "kernels/cpu/exp.h"
#include "kernels/cpu/lanes.h"
#include "kernels/cpu/softmax.h"
#include "kernels/decode_attention.h"

namespace kernels::cpu {

inline constexpr std::int64_t kChunk = 64;
inline constexpr int kQuad = 4;
inline constexpr int kTile = 2 * kQuad;

// What is known of a tile of heads after some chunks. Rows past the tile's heads repeat its first
// head, so that quads are always full.
template <class S>
struct Tile {
  alignas(64) float q[kTile][kMaxHeadDim];    // padded with zeros to full lanes
  alignas(64) float out[kTile][kMaxHeadDim];  // sum of weight * v, relative to max
  alignas(64) float weight[kTile][kChunk];    // scores, then exp(score - max)
  float max[kTile];
  float sum[kTile];
};

template <class S, class T>
void Scores(Tile<S>& tile, int quad, const T* k, std::int64_t stride, int slots,
            const DecodeAttentionArgs& args) {
  using V = typename S::V;
  const auto& q = tile.q;
  for (int slot = 0; slot < slots; ++slot) {
    const T* key = k + slot * stride;
    V a = S::Set(0), b = a, c = a, d = a;
    ForLanes<S>(args.shape.dim, [&](std::int64_t i, auto part) {
      const V v = S::Load(key + i, part);
      a = S::Fma(S::Load(q[quad] + i, All{}), v, a);
      b = S::Fma(S::Load(q[quad + 1] + i, All{}), v, b);
      c = S::Fma(S::Load(q[quad + 2] + i, All{}), v, c);
      d = S::Fma(S::Load(q[quad + 3] + i, All{}), v, d);
    });
    float score[kQuad];
    S::Sum4(a, b, c, d, score);
    for (int h = 0; h < kQuad; ++h) {
      tile.weight[quad + h][slot] = score[h] * args.scale;
    }
  }
}

// Turns the scores of one head's chunk into weights and rescales what came before.
template <class S>
void Reweigh(Tile<S>& tile, int head, int slots, std::int64_t dim) {
  using V = typename S::V;
  float* weight = tile.weight[head];
  const float before = tile.max[head];
  const float chunk_max = MaxOf<S>(weight, slots);
  const float max = chunk_max > before ? chunk_max : before;
  // All scores so far -inf: subtract 0 instead, so that their weight is 0 and not NaN.
  const V base = S::Set(max == -kInfinity ? 0.0f : max);

  V acc[kAccumulators] = {S::Set(0), S::Set(0), S::Set(0), S::Set(0)};
  Accumulate<S>(slots, acc, [=](V a, std::int64_t i, auto part) {
    const V e = S::Fill(Exp<S>(S::Sub(S::Load(weight + i, part), base)), part, 0.0f);
    S::Store(weight + i, e, part);
    return S::Add(a, e);
  });
  const float chunk_sum = SumOf<S>(acc);
  float scale[kLanes];
  S::Store(scale, Exp<S>(S::Sub(S::Set(before), base)), All{});
  tile.max[head] = max;
  tile.sum[head] = tile.sum[head] * scale[0] + chunk_sum;
  if (scale[0] != 1.0f) {
    float* out = tile.out[head];
    ForLanes<S>(dim, [out, factor = S::Set(scale[0])](std::int64_t i, auto) {
      S::Store(out + i, S::Mul(S::Load(out + i, All{}), factor), All{});
    });
  }
}

template <class S, class T>
void AddValues(Tile<S>& tile, int quad, const T* v, std::int64_t stride, int slots,
               std::int64_t dim) {
  using V = typename S::V;
  const auto& weight = tile.weight;
  auto& out = tile.out;
  ForLanes<S>(dim, [&](std::int64_t i, auto part) {
    V a = S::Load(out[quad] + i, All{}), b = S::Load(out[quad + 1] + i, All{});
    V c = S::Load(out[quad + 2] + i, All{}), d = S::Load(out[quad + 3] + i, All{});
    for (int slot = 0; slot < slots; ++slot) {
      const V value = S::Load(v + slot * stride + i, part);
      a = S::Fma(S::Set(weight[quad][slot]), value, a);
      b = S::Fma(S::Set(weight[quad + 1][slot]), value, b);
      c = S::Fma(S::Set(weight[quad + 2][slot]), value, c);
      d = S::Fma(S::Set(weight[quad + 3][slot]), value, d);
    }
    S::Store(out[quad] + i, a, All{});
    S::Store(out[quad + 1] + i, b, All{});
    S::Store(out[quad + 2] + i, c, All{});
    S::Store(out[quad + 3] + i, d, All{});
  });
}

// Query heads [first, first + heads), all of the group of `kv_head`.
template <class S, class T>
void AttendTile(const DecodeAttentionArgs& args, std::int64_t kv_head, std::int64_t first,
                int heads) {
  const auto& shape = args.shape;
  const std::int64_t dim = shape.dim;
  const std::int64_t stride = shape.kv_heads * dim;
  const auto* k = static_cast<const T*>(args.k.data) + kv_head * dim;
  const auto* v = static_cast<const T*>(args.v.data) + kv_head * dim;
  const int quads = (heads + kQuad - 1) / kQuad;

  Tile<S> tile;
  for (int h = 0; h < quads * kQuad; ++h) {
    const float* q = static_cast<const float*>(args.q.data) + (first + (h < heads ? h : 0)) * dim;
    ForLanes<S>(dim, [&](std::int64_t i, auto part) {
      S::Store(tile.q[h] + i, S::Load(q + i, part), All{});
      S::Store(tile.out[h] + i, S::Set(0), All{});
    });
    tile.max[h] = -kInfinity;
    tile.sum[h] = 0;
  }
  for (std::int64_t start = 0; start < shape.length; start += kChunk) {
    const std::int64_t rest = shape.length - start;
    const int slots = static_cast<int>(rest < kChunk ? rest : kChunk);
    for (int quad = 0; quad < quads * kQuad; quad += kQuad) {
      Scores<S>(tile, quad, k + start * stride, stride, slots, args);
      for (int h = quad; h < quad + kQuad; ++h) {
        Reweigh<S>(tile, h, slots, dim);
      }
      AddValues<S>(tile, quad, v + start * stride, stride, slots, dim);
    }
  }
  for (int h = 0; h < heads; ++h) {
    float* out = static_cast<float*>(args.out.data) + (first + h) * dim;
    const float* sum = tile.out[h];
    ForLanes<S>(dim, [=, total = S::Set(tile.sum[h])](std::int64_t i, auto part) {
      S::Store(out + i, S::Div(S::Load(sum + i, All{}), total), part);
    });
  }
}

template <class S>
void DecodeAttention(const DecodeAttentionArgs& args) {
  WithType<S>(args.shape.dtype, [&args]<class T>(T*) {
    const std::int64_t group = args.shape.heads / args.shape.kv_heads;
    for (std::int64_t kv_head = 0; kv_head < args.shape.kv_heads; ++kv_head) {
      for (std::int64_t h = 0; h < group; h += kTile) {
        const std::int64_t rest = group - h;
        AttendTile<S, T>(args, kv_head, kv_head * group + h,
                         static_cast<int>(rest < kTile ? rest : kTile));
      }
    }
  });
}

}  // namespace kernels::cpu
