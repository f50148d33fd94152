// SPDX-License-Identifier: Apache-2.0
// decode_attention.h: device:cuda implementations of kernels/decode_attention.h.
#pragma once

#include <array>
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
// The same, with the parts added by the last block of each item.
void DecodeAttentionLastBlock(const DecodeAttentionArgs& args, const Context& context);
// As `last_block`, by float32 fmas for every dtype and head size.
void DecodeAttentionFma(const DecodeAttentionArgs& args, const Context& context);
std::size_t DecodeAttentionFmaWorkspace(const DecodeAttentionShape& shape, const Context& context);

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
