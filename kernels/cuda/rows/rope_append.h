// SPDX-License-Identifier: Apache-2.0
// rope_append.h: device:cuda implementations of kernels/rope_append.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/rope_append.h"

namespace kernels::cuda {

void RopeAppendReference(const RopeAppendArgs& args, const Context& context);
void RopeAppendVector(const RopeAppendArgs& args, const Context& context);

template <>
struct Rows<RopeAppendArgs> {
  static constexpr std::array rows = {
      FloatRow<RopeAppendArgs>("reference", &RopeAppendSupports, &RopeAppendReference),
      FloatRow<RopeAppendArgs>("vector", &RopeAppendSupports, &RopeAppendVector),
  };
};

}  // namespace kernels::cuda
