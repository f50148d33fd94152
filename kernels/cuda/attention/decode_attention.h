// SPDX-License-Identifier: Apache-2.0
// decode_attention.h: device:cuda implementations of kernels/decode_attention.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/cuda/rows.h"
#include "kernels/decode_attention.h"

namespace kernels::cuda {

std::string_view CudaAttentionSupports(const DecodeAttentionShape& shape);
// One block per query head; scores in float64 in the workspace.
void DecodeAttentionReference(const DecodeAttentionArgs& args, const Context& context);
std::size_t DecodeAttentionReferenceWorkspace(const DecodeAttentionShape& shape,
                                              const Context& context);
// The cache in chunks, whose parts a second kernel adds: by tensor cores for bf16 heads of 64 or
// 128 on 16-byte addresses, else by float32 fmas.
void DecodeAttentionSplit(const DecodeAttentionArgs& args, const Context& context);
std::size_t DecodeAttentionSplitWorkspace(const DecodeAttentionShape& shape,
                                          const Context& context);
// The same in one kernel: the last block of each item adds its parts. On an H100 within 2 % of
// `split` or ahead, by 7 and 11 % at 4096 slots.
void DecodeAttentionLastBlock(const DecodeAttentionArgs& args, const Context& context);
// As `last_block`, by float32 fmas for every dtype and head size.
void DecodeAttentionFma(const DecodeAttentionArgs& args, const Context& context);
std::size_t DecodeAttentionFmaWorkspace(const DecodeAttentionShape& shape, const Context& context);

// Rows of queries that are not one per sequence in the order of the cache: some of a batch, or
// several of one prompt. Row b of `args` sees slots 0 .. positions[b] of sequence sequences[b].
// args.shape: batch is the number of rows, and no row sees more than Capacity() slots, which
// decides the grid and with it the order of sums; the cache has room for rows.capacity slots of
// each sequence. args.lengths is empty. Neither positions nor sequences are looked at before the
// launch: a position from Capacity() on makes wrong results.
struct AttentionRows {
  const std::int32_t* positions = nullptr;  // device memory, [batch]
  const std::int32_t* sequences = nullptr;  // likewise
  std::int64_t q_row = 0;                   // elements from one row of q to the next
  std::int64_t capacity = 0;
};
enum class RowAttention : std::uint8_t { kReference, kSplit, kLastBlock };
void AttendRows(RowAttention impl, const DecodeAttentionArgs& args, const AttentionRows& rows,
                const Context& context);
std::size_t AttendRowsWorkspace(RowAttention impl, const DecodeAttentionShape& shape,
                                const Context& context);

template <>
struct Rows<DecodeAttentionArgs> {
  static constexpr std::array rows = {
      Row<DecodeAttentionArgs>{"reference",
                               Device::kCuda,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kDevice,
                               &CudaAttentionSupports,
                               &DecodeAttentionReference,
                               &DecodeAttentionReferenceWorkspace},
      Row<DecodeAttentionArgs>{"split",
                               Device::kCuda,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kDevice,
                               &CudaAttentionSupports,
                               &DecodeAttentionSplit,
                               &DecodeAttentionSplitWorkspace},
      Row<DecodeAttentionArgs>{"last_block",
                               Device::kCuda,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kDevice,
                               &CudaAttentionSupports,
                               &DecodeAttentionLastBlock,
                               &DecodeAttentionSplitWorkspace},
      Row<DecodeAttentionArgs>{"fma",
                               Device::kCuda,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kDevice,
                               &CudaAttentionSupports,
                               &DecodeAttentionFma,
                               &DecodeAttentionFmaWorkspace},
  };
};

}  // namespace kernels::cuda
