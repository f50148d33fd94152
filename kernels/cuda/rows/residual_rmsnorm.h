// SPDX-License-Identifier: Apache-2.0
// residual_rmsnorm.h: device:cuda implementations of kernels/residual_rmsnorm.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/residual_rmsnorm.h"

namespace kernels::cuda {

void ResidualRmsNormReference(const ResidualRmsNormArgs& args, const Context& context);
void ResidualRmsNormVector(const ResidualRmsNormArgs& args, const Context& context);

template <>
struct Rows<ResidualRmsNormArgs> {
  static constexpr std::array rows = {
      FloatRow<ResidualRmsNormArgs>("reference", &ResidualRmsNormSupports,
                                    &ResidualRmsNormReference),
      FloatRow<ResidualRmsNormArgs>("vector", &ResidualRmsNormSupports, &ResidualRmsNormVector),
  };
};

}  // namespace kernels::cuda
