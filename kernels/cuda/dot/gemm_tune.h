// SPDX-License-Identifier: Apache-2.0
// gemm_tune.h: times cuBLASLt's proposals for a product and names the fastest.
#pragma once

#include <vector>

#include "kernels/cuda/dot/gemm_lt.h"
#include "kernels/cuda/runtime/gpu.h"

namespace kernels::cuda {

struct GemmTuned {
  std::size_t best = 0;     // index into the proposals
  int timed = 0;            // proposals that ran and gave the same bits twice
  double microseconds = 0;  // of a call of the best one
};

// Weights rotate through more memory than the L2 cache holds, as in a model; a stays warm. Buffers
// hold random numbers at the given alignment. Every proposal is timed in turn, several times over,
// by replays of a captured graph, and judged by its median; of equals the first proposed wins.
GemmTuned TuneGemm(const GemmShape& shape, const GemmProblem& problem, cublasLtHandle_t handle,
                   const std::vector<cublasLtMatmulHeuristicResult_t>& proposals,
                   const GemmAlignment& alignment, std::size_t workspace_bytes,
                   const GpuLimits& limits);

}  // namespace kernels::cuda
