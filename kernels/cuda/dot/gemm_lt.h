// SPDX-License-Identifier: Apache-2.0
// gemm_lt.h: one product as cuBLASLt sees it, and the algorithms it proposes.
#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "kernels/gemm.h"

namespace kernels::cuda {

// Throws Error unless `status` is CUBLAS_STATUS_SUCCESS.
void CheckCublas(cublasStatus_t status, std::string_view doing);

// What a pointer's address is a multiple of, at most 256.
struct GemmAlignment {
  unsigned a = 256, weight = 256, c = 256;
  auto operator<=>(const GemmAlignment&) const = default;
};
GemmAlignment AlignmentOf(const GemmArgs& args);

// cuBLASLt stores matrices by columns: a row-major [m, k] is its k by m. So it multiplies the
// transposed weight by a and gets c's transpose, which is c by rows.
class GemmProblem {
 public:
  explicit GemmProblem(const GemmShape& shape);
  // c of another type, its rows `c_row` >= n elements apart; batch is 1.
  GemmProblem(const GemmShape& shape, DType c_type, std::int64_t c_row);
  GemmProblem(const GemmProblem&) = delete;
  GemmProblem& operator=(const GemmProblem&) = delete;
  ~GemmProblem();

  // Best guess first; at most `most`, none where cuBLASLt cannot do it. Without split sums that
  // meet by atomic additions or in the type of c.
  std::vector<cublasLtMatmulHeuristicResult_t> Propose(cublasLtHandle_t handle,
                                                       const GemmAlignment& alignment,
                                                       std::size_t workspace_bytes, int most) const;

  // Keeps of `others`, which are for another problem, what can do this one too.
  void KeepUsable(cublasLtHandle_t handle, std::size_t workspace_bytes,
                  std::vector<cublasLtMatmulHeuristicResult_t>& others) const;

  // c = a weight^T, or c += where `add`.
  cublasStatus_t Multiply(cublasLtHandle_t handle, const cublasLtMatmulAlgo_t& algorithm,
                          const void* a, const void* weight, void* c, void* workspace,
                          std::size_t workspace_bytes, CUstream_st* stream, bool add = false) const;

 private:
  void Release();

  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t weight_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t c_ = nullptr;
};

}  // namespace kernels::cuda
