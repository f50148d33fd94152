// SPDX-License-Identifier: Apache-2.0
// Rope and attention of CudaOps: which kernel takes which rows.
#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/ops/cuda/cuda_ops.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/short_attention.h"
#include "engine/ops/cuda/views.h"
#include "engine/ops/step_bucket.h"
#include "kernels/cuda/registry.h"
#include "kernels/error.h"

namespace engine::cuda {
namespace {

constexpr std::int64_t kAttentionRows = 1024;  // of one launch
// More rows share what they read of the cache better in the other kernel: on an H100 a prompt of
// 512 tokens of Qwen2.5-0.5B, 256 at a time, takes 11 % less with that.
constexpr std::int64_t kShortRows = 64;
constexpr std::int64_t kReferenceRows = 16;  // float64 scores of each head and slot

// That attention is shaped for where no row sees more than `length`.
std::int64_t SlotsOf(const AttentionShape& shape, std::int64_t length) {
  return std::min(StepBucket(length), shape.capacity);
}

kernels::cuda::RowAttention AttentionOf(const EngineOptions& options) {
  switch (options.attention) {
    case Attention::kReference:
      return kernels::cuda::RowAttention::kReference;
    case Attention::kSplitKv:
      return kernels::cuda::RowAttention::kSplit;
    case Attention::kAuto:
    case Attention::kFused:
      break;
  }
  return kernels::cuda::RowAttention::kLastBlock;
}

}  // namespace

void CudaOps::RopeAppendKv(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                           Rows qkv, const KvLayer& cache) {
  appended_.push_back(cache.k.data);
  Launch("rope", [&](const auto& context) { RopeAppend(shape, table, info, qkv, cache, context); });
}

bool CudaOps::TakesShort(const AttentionShape& shape, const KvLayer& cache, std::int64_t slots) {
  return AttentionOf(options_) == kernels::cuda::RowAttention::kLastBlock &&
         TakesShortAttention(shape, cache, slots, ContextOf(0));
}

// One row is one sequence, whatever it belongs to; of several, some may see what others append.
bool CudaOps::FusesRopeAttend(const AttentionShape& shape, const KvLayer& cache, std::int64_t rows,
                              std::int64_t length) {
  return rows == 1 && TakesShort(shape, cache, SlotsOf(shape, length));
}

void CudaOps::RopeAttend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                         Rows qkv, const KvLayer& cache, std::int64_t length, Rows out) {
  if (!FusesRopeAttend(shape, cache, qkv.rows, length)) {
    return Ops::RopeAttend(shape, table, info, qkv, cache, length, out);
  }
  const std::int64_t slots = SlotsOf(shape, length);
  half_of_ = nullptr;
  const bool at_rest = step_began_ && std::ranges::count(appended_, cache.k.data) == 0;
  appended_.push_back(cache.k.data);
  Do("rope and attention", [&] {
    ShortAttention(shape, &table, info, qkv, cache, at_rest, slots, out, nullptr, ContextOf(0));
  });
}

void CudaOps::Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv,
                     const KvLayer& cache, std::int64_t length, Rows out) {
  half_of_ = nullptr;
  Do("attention", [&] {
    const kernels::cuda::RowAttention impl = AttentionOf(options_);
    const std::int64_t slots = SlotsOf(shape, length);
    const std::int64_t most =
        impl == kernels::cuda::RowAttention::kReference ? kReferenceRows : kAttentionRows;
    for (std::int64_t first = 0; first < qkv.rows; first += most) {
      const std::int64_t rows = std::min(most, qkv.rows - first);
      if (rows <= kShortRows && TakesShort(shape, cache, slots)) {
        const RowInfo places{nullptr, info.positions + first, info.sequences + first};
        // The product that follows takes bf16, unless weights are none.
        Bf16* half = nullptr;
        if (rows == qkv.rows && rows > 1 && options_.gemm != Gemm::kOwn) {
          half = reinterpret_cast<Bf16*>(Grown(halves_, out.count() * sizeof(Bf16)));
          half_of_ = out.data;
          half_count_ = out.count();
        }
        ShortAttention(shape, nullptr, places, Piece(qkv, first, rows), cache, false, slots,
                       Piece(out, first, rows), half, ContextOf(0));
        continue;
      }
      const kernels::DecodeAttentionArgs args{
          {slots, shape.heads, shape.kv_heads, shape.dim, cache.k.dtype, rows, slots},
          shape.scale,
          Floats(Piece(qkv, first, rows)),
          cache.k,
          cache.v,
          Floats(Piece(out, first, rows))};
      if (const auto why = kernels::cuda::CudaAttentionSupports(args.shape); !why.empty()) {
        throw kernels::Error(std::string(why));
      }
      const kernels::cuda::AttentionRows places{info.positions + first, info.sequences + first,
                                                qkv.cols, shape.capacity};
      const std::size_t bytes = kernels::cuda::AttendRowsWorkspace(impl, args.shape, ContextOf(0));
      kernels::cuda::AttendRows(impl, args, places, ContextOf(bytes));
    }
  });
}

}  // namespace engine::cuda
