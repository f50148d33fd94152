// SPDX-License-Identifier: Apache-2.0
// softmax.h: device:cuda implementations of kernels/softmax.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/softmax.h"

namespace kernels::cuda {

void SoftmaxReference(const SoftmaxArgs& args, const Context& context);
// A long row or two over the whole device (softmax_grid.cu); else a row in the registers of a warp
// or block, of a cluster where that is too small and the device has clusters, and beyond that read
// twice.
void SoftmaxVector(const SoftmaxArgs& args, const Context& context);
void SoftmaxOnline(const SoftmaxArgs& args, const Context& context);  // every row read twice

// What SoftmaxVector does with a long f32 row or two. False where that is not for these arguments
// and nothing was launched.
bool LaunchSoftmaxGrid(const SoftmaxArgs& args, const Context& context);

template <>
struct Rows<SoftmaxArgs> {
  static constexpr std::array rows = {
      FloatRow<SoftmaxArgs>("reference", &SoftmaxSupports, &SoftmaxReference),
      FloatRow<SoftmaxArgs>("vector", &SoftmaxSupports, &SoftmaxVector),
      FloatRow<SoftmaxArgs>("online", &SoftmaxSupports, &SoftmaxOnline),
  };
};

}  // namespace kernels::cuda
