// SPDX-License-Identifier: Apache-2.0
// argmax.h: device:cuda implementations of kernels/argmax.h.
#pragma once

#include <array>

#include "kernels/argmax.h"
#include "kernels/cuda/rows.h"

namespace kernels::cuda {

void ArgmaxReference(const ArgmaxArgs& args, const Context& context);
void ArgmaxVector(const ArgmaxArgs& args, const Context& context);
void ArgmaxMeet(const ArgmaxArgs& args, const Context& context);
void ArgmaxCluster(const ArgmaxArgs& args, const Context& context);

template <>
struct Rows<ArgmaxArgs> {
  static constexpr std::array rows = {
      Row<ArgmaxArgs>{"reference",
                      Device::kCuda,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &ArgmaxSupports,
                      &ArgmaxReference},
      // A row over many blocks, whose warps send their keys to the last one.
      Row<ArgmaxArgs>{"vector",
                      Device::kCuda,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &ArgmaxSupports,
                      &ArgmaxVector},
      // The same, with an atomic maximum and a count of blocks instead.
      Row<ArgmaxArgs>{"meet",
                      Device::kCuda,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &ArgmaxSupports,
                      &ArgmaxMeet},
      // A row over the 16 blocks of a cluster, or 8 where that is the most, which meet in shared
      // memory.
      Row<ArgmaxArgs>{"cluster",
                      Device::kCuda,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &ArgmaxSupports,
                      &ArgmaxCluster,
                      nullptr,
                      90},
  };
};

}  // namespace kernels::cuda
