// SPDX-License-Identifier: Apache-2.0
// gemv.h: device:cuda implementations of kernels/gemv.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/gemv.h"

namespace kernels::cuda {

// One thread per row.
void GemvReference(const GemvArgs& args, const Context& context);
// As `direct` where that takes it and rows are not few, else dot_rows.cuh, k in slices only where
// rows are few or x is too long for shared memory. Which of the two runs changes no bit.
void GemvVector(const GemvArgs& args, const Context& context);
std::size_t GemvVectorWorkspace(const GemvShape& shape, const Context& context);
// The same with k in at least four slices, whose sums the last block of each set of rows adds.
void GemvSplit(const GemvArgs& args, const Context& context);
std::size_t GemvSplitWorkspace(const GemvShape& shape, const Context& context);
// One warp per row and a block for every eight rows; x comes through the first-level cache.
void GemvWarpRow(const GemvArgs& args, const Context& context);
// One warp per row of at most 16 KiB, all of it in registers at once; warp_row where addresses are
// not aligned.
std::string_view GemvDirectSupports(const GemvShape& shape);
void GemvDirect(const GemvArgs& args, const Context& context);

template <>
struct Rows<GemvArgs> {
  static constexpr std::array rows = {
      Row<GemvArgs>{"reference",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kDevice,
                    &GemvSupports,
                    &GemvReference},
      Row<GemvArgs>{"vector",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kDevice,
                    &GemvSupports,
                    &GemvVector,
                    &GemvVectorWorkspace},
      Row<GemvArgs>{"split",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kDevice,
                    &GemvSupports,
                    &GemvSplit,
                    &GemvSplitWorkspace},
      Row<GemvArgs>{"warp_row",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kDevice,
                    &GemvSupports,
                    &GemvWarpRow},
      Row<GemvArgs>{"direct",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kDevice,
                    &GemvDirectSupports,
                    &GemvDirect},
  };
};

}  // namespace kernels::cuda
