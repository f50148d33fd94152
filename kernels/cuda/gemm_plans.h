// SPDX-License-Identifier: Apache-2.0
// gemm_plans.h: the cuBLASLt handle of a GPU and the algorithm chosen for each shape.
#pragma once

namespace kernels::cuda {

class GemmPlans {};

}  // namespace kernels::cuda
