// SPDX-License-Identifier: Apache-2.0
// random_fill.h: random numbers in device memory, for timings that must not run on zeros.
#pragma once

#include <cstdint>

#include "kernels/row.h"

namespace kernels::cuda {

// Uniform in [-1, 1): element i depends on i and seed alone. f32 or bf16.
void FillUniform(View view, std::uint64_t seed, CUstream_st* stream);

}  // namespace kernels::cuda
