// SPDX-License-Identifier: Apache-2.0
// top_k.h: device:cuda implementations of kernels/top_k.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/top_k.h"

namespace kernels::cuda {

void TopKReference(const TopKArgs& args, const Context& context);
void TopKVector(const TopKArgs& args, const Context& context);
void TopKMeet(const TopKArgs& args, const Context& context);
std::size_t TopKWorkspace(const TopKShape& shape, const Context& context);
std::size_t TopKMeetWorkspace(const TopKShape& shape, const Context& context);

template <>
struct Rows<TopKArgs> {
  static constexpr std::array rows = {
      Row<TopKArgs>{"reference",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32},
                    Numerics::kExact,
                    &TopKSupports,
                    &TopKReference},
      Row<TopKArgs>{"vector",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32},
                    Numerics::kExact,
                    &TopKSupports,
                    &TopKVector,
                    &TopKWorkspace},
      // The block that finishes last takes over, where `vector` signals to one that waits.
      Row<TopKArgs>{"meet",
                    Device::kCuda,
                    Isa::kGeneric,
                    {DType::kF32},
                    Numerics::kExact,
                    &TopKSupports,
                    &TopKMeet,
                    &TopKMeetWorkspace},
  };
};

}  // namespace kernels::cuda
