// SPDX-License-Identifier: Apache-2.0
// stream.h: device:cuda implementations of kernels/stream.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/stream.h"

namespace kernels::cuda {

void CopyReference(const CopyArgs& args, const Context& context);
void CopyVector(const CopyArgs& args, const Context& context);
// The same without the hints to the caches.
void CopyPlain(const CopyArgs& args, const Context& context);
// By the copy engine of each SM, through its shared memory. sm_90.
void CopyBulk(const CopyArgs& args, const Context& context);
void CopyMemcpy(const CopyArgs& args, const Context& context);  // cudaMemcpyAsync

void SumReference(const SumArgs& args, const Context& context);
void SumVector(const SumArgs& args, const Context& context);
std::size_t SumWorkspace(const SumShape& shape, const Context& context);

template <>
struct Rows<CopyArgs> {
  static constexpr std::array rows = {
      FloatRow<CopyArgs>("reference", &CopySupports, &CopyReference, Numerics::kExact),
      FloatRow<CopyArgs>("vector", &CopySupports, &CopyVector, Numerics::kExact),
      FloatRow<CopyArgs>("plain", &CopySupports, &CopyPlain, Numerics::kExact),
      Row<CopyArgs>{"bulk",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kExact,
                    &CopySupports,
                    &CopyBulk,
                    nullptr,
                    90},
      FloatRow<CopyArgs>("memcpy", &CopySupports, &CopyMemcpy, Numerics::kExact),
  };
};

template <>
struct Rows<SumArgs> {
  static constexpr std::array rows = {
      Row<SumArgs>{"reference",
                   Device::kCuda,
                   Isa::kGeneric,
                   {DType::kF32},
                   Numerics::kDevice,
                   &SumSupports,
                   &SumReference},
      Row<SumArgs>{"vector",
                   Device::kCuda,
                   Isa::kGeneric,
                   {DType::kF32},
                   Numerics::kDevice,
                   &SumSupports,
                   &SumVector,
                   &SumWorkspace},
  };
};

}  // namespace kernels::cuda
