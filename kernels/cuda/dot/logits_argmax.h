// SPDX-License-Identifier: Apache-2.0
// logits_argmax.h: device:cuda implementations of kernels/logits_argmax.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/logits_argmax.h"

namespace kernels::cuda {

// One thread per logit, written to the workspace and searched by one block.
void LogitsArgmaxReference(const LogitsArgmaxArgs& args, const Context& context);
std::size_t LogitsArgmaxReferenceWorkspace(const LogitsArgmaxShape& shape, const Context& context);
// The sums of gemv/impl:vector bit for bit; each block keeps its best, the last one merges them.
void LogitsArgmaxVector(const LogitsArgmaxArgs& args, const Context& context);
std::size_t LogitsArgmaxVectorWorkspace(const LogitsArgmaxShape& shape, const Context& context);
// gemv/impl:vector, then a search of the logits by one block: what not fusing costs.
void LogitsArgmaxTwoKernel(const LogitsArgmaxArgs& args, const Context& context);
std::size_t LogitsArgmaxTwoKernelWorkspace(const LogitsArgmaxShape& shape, const Context& context);

template <>
struct Rows<LogitsArgmaxArgs> {
  static constexpr std::array rows = {
      Row<LogitsArgmaxArgs>{"reference",
                            Device::kCuda,
                            Isa::kGeneric,
                            {DType::kF32, DType::kBf16},
                            Numerics::kDevice,
                            &LogitsArgmaxSupports,
                            &LogitsArgmaxReference,
                            &LogitsArgmaxReferenceWorkspace},
      Row<LogitsArgmaxArgs>{"vector",
                            Device::kCuda,
                            Isa::kGeneric,
                            {DType::kF32, DType::kBf16},
                            Numerics::kDevice,
                            &LogitsArgmaxSupports,
                            &LogitsArgmaxVector,
                            &LogitsArgmaxVectorWorkspace},
      Row<LogitsArgmaxArgs>{"two_kernel",
                            Device::kCuda,
                            Isa::kGeneric,
                            {DType::kF32, DType::kBf16},
                            Numerics::kDevice,
                            &LogitsArgmaxSupports,
                            &LogitsArgmaxTwoKernel,
                            &LogitsArgmaxTwoKernelWorkspace},
  };
};

}  // namespace kernels::cuda
