// SPDX-License-Identifier: Apache-2.0
// rope.h: device:cuda implementations of kernels/rope.h. The output of a token whose position is
// out of range is NaN.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/rope.h"

namespace kernels::cuda {

void RopeReference(const RopeArgs& args, const Context& context);
void RopeVector(const RopeArgs& args, const Context& context);

template <>
struct Rows<RopeArgs> {
  static constexpr std::array rows = {
      FloatRow<RopeArgs>("reference", &RopeSupports, &RopeReference),
      FloatRow<RopeArgs>("vector", &RopeSupports, &RopeVector),
  };
};

}  // namespace kernels::cuda
