// SPDX-License-Identifier: Apache-2.0
// gemm.h: device:cuda implementations of kernels/gemm.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/gemm.h"

namespace kernels::cuda {

void GemmReference(const GemmArgs& args, const Context& context);
void GemmCublasLt(const GemmArgs& args, const Context& context);
void GemmCublasLtFirst(const GemmArgs& args, const Context& context);
// These also plan the shape, so that a launch may be captured afterwards.
std::size_t GemmWorkspace(const GemmShape& shape, const Context& context);
std::size_t GemmWorkspaceFirst(const GemmShape& shape, const Context& context);

template <>
struct Rows<GemmArgs> {
  static constexpr std::array rows = {
      Row<GemmArgs>{"reference",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kF64,
                    &GemmSupports,
                    &GemmReference},
      // The fastest of cuBLASLt's first proposals (gemm_plans.h).
      Row<GemmArgs>{"cublaslt",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kBlas,
                    &GemmSupports,
                    &GemmCublasLt,
                    &GemmWorkspace},
      // The first proposal, untried.
      Row<GemmArgs>{"cublaslt_first",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kBlas,
                    &GemmSupports,
                    &GemmCublasLtFirst,
                    &GemmWorkspaceFirst},
  };
};

}  // namespace kernels::cuda
