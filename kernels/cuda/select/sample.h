// SPDX-License-Identifier: Apache-2.0
// sample.h: device:cuda implementations of kernels/sample.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/sample.h"

namespace kernels::cuda {

void SampleReference(const SampleArgs& args, const Context& context);
void SampleVector(const SampleArgs& args, const Context& context);
std::size_t SampleWorkspace(const SampleShape& shape, const Context& context);

template <>
struct Rows<SampleArgs> {
  static constexpr std::array rows = {
      Row<SampleArgs>{"reference",
                      Device::kCuda,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &SampleSupports,
                      &SampleReference},
      Row<SampleArgs>{"vector",
                      Device::kCuda,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &SampleSupports,
                      &SampleVector,
                      &SampleWorkspace},
  };
};

}  // namespace kernels::cuda
