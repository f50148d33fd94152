// SPDX-License-Identifier: Apache-2.0
// rmsnorm.h: device:cuda implementations of kernels/rmsnorm.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/rmsnorm.h"

namespace kernels::cuda {

void RmsNormReference(const RmsNormArgs& args, const Context& context);
void RmsNormVector(const RmsNormArgs& args, const Context& context);

template <>
struct Rows<RmsNormArgs> {
  static constexpr std::array rows = {
      FloatRow<RmsNormArgs>("reference", &RmsNormSupports, &RmsNormReference),
      FloatRow<RmsNormArgs>("vector", &RmsNormSupports, &RmsNormVector),
  };
};

}  // namespace kernels::cuda
