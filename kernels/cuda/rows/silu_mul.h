// SPDX-License-Identifier: Apache-2.0
// silu_mul.h: device:cuda implementations of kernels/silu_mul.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/silu_mul.h"

namespace kernels::cuda {

void SiluMulReference(const SiluMulArgs& args, const Context& context);
void SiluMulVector(const SiluMulArgs& args, const Context& context);

template <>
struct Rows<SiluMulArgs> {
  static constexpr std::array rows = {
      FloatRow<SiluMulArgs>("reference", &SiluMulSupports, &SiluMulReference),
      FloatRow<SiluMulArgs>("vector", &SiluMulSupports, &SiluMulVector),
  };
};

}  // namespace kernels::cuda
