// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/dot/gemm_lt.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/error.h"

namespace kernels::cuda {
namespace {

template <class T>
void Set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
         T value) {
  CheckCublas(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value),
              "cublasLtMatmulPreferenceSetAttribute");
}

// `apart`: elements from one column to the next.
cublasLtMatrixLayout_t Layout(cudaDataType_t type, std::int64_t rows, std::int64_t cols,
                              std::int64_t apart, std::int64_t batch, std::int64_t stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  CheckCublas(cublasLtMatrixLayoutCreate(&layout, type, static_cast<std::uint64_t>(rows),
                                         static_cast<std::uint64_t>(cols), apart),
              "cublasLtMatrixLayoutCreate");
  const auto count = static_cast<std::int32_t>(batch);
  const auto set = [&](cublasLtMatrixLayoutAttribute_t attribute, const auto& value) {
    return cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value);
  };
  cublasStatus_t status = set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count);
  if (status == CUBLAS_STATUS_SUCCESS) {
    status = set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
  }
  if (status != CUBLAS_STATUS_SUCCESS) {
    (void)cublasLtMatrixLayoutDestroy(layout);
    CheckCublas(status, "cublasLtMatrixLayoutSetAttribute");
  }
  return layout;
}

cudaDataType_t TypeOf(DType type) { return type == DType::kF32 ? CUDA_R_32F : CUDA_R_16BF; }

unsigned AlignmentOf(const void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data) | 256U;
  return static_cast<unsigned>(address & -address);
}

}  // namespace

void CheckCublas(cublasStatus_t status, std::string_view doing) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw Error(std::string(doing) + ": " + cublasLtGetStatusString(status));
  }
}

GemmAlignment AlignmentOf(const GemmArgs& args) {
  return {AlignmentOf(args.a.data), AlignmentOf(args.weight.data), AlignmentOf(args.c.data)};
}

GemmProblem::GemmProblem(const GemmShape& shape) : GemmProblem(shape, shape.dtype, shape.n) {}

GemmProblem::GemmProblem(const GemmShape& shape, DType c_type, std::int64_t c_row) {
  const cudaDataType_t type = TypeOf(shape.dtype);
  try {
    CheckCublas(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                "cublasLtMatmulDescCreate");
    const cublasOperation_t transpose = CUBLAS_OP_T;
    CheckCublas(cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &transpose,
                                               sizeof transpose),
                "cublasLtMatmulDescSetAttribute");
    const auto& [m, n, k, dtype, batch] = shape;
    weight_ = Layout(type, k, n, k, batch, n * k);
    a_ = Layout(type, k, m, k, batch, 0);
    c_ = Layout(TypeOf(c_type), n, m, c_row, batch, m * n);
  } catch (...) {
    Release();
    throw;
  }
}

GemmProblem::~GemmProblem() { Release(); }

void GemmProblem::Release() {
  for (const cublasLtMatrixLayout_t layout : {weight_, a_, c_}) {
    if (layout != nullptr) {
      (void)cublasLtMatrixLayoutDestroy(layout);
    }
  }
  if (operation_ != nullptr) {
    (void)cublasLtMatmulDescDestroy(operation_);
  }
}

std::vector<cublasLtMatmulHeuristicResult_t> GemmProblem::Propose(cublasLtHandle_t handle,
                                                                  const GemmAlignment& alignment,
                                                                  std::size_t workspace_bytes,
                                                                  int most) const {
  cublasLtMatmulPreference_t preference = nullptr;
  CheckCublas(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  const std::unique_ptr<cublasLtMatmulPreferenceOpaque_t,
                        decltype(&cublasLtMatmulPreferenceDestroy)>
      owner(preference, &cublasLtMatmulPreferenceDestroy);
  Set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
      static_cast<std::uint64_t>(workspace_bytes));
  Set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
      static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  Set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment.weight);
  Set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment.a);
  Set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment.c);
  Set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment.c);
  std::vector<cublasLtMatmulHeuristicResult_t> results(static_cast<std::size_t>(most));
  int found = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      handle, operation_, weight_, a_, c_, c_, preference, most, results.data(), &found);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE) {
    return {};
  }
  CheckCublas(status, "cublasLtMatmulAlgoGetHeuristic");
  results.resize(static_cast<std::size_t>(std::max(found, 0)));
  std::erase_if(results, [workspace_bytes](const auto& result) {
    return result.state != CUBLAS_STATUS_SUCCESS || result.workspaceSize > workspace_bytes;
  });
  return results;
}

void GemmProblem::KeepUsable(cublasLtHandle_t handle, std::size_t workspace_bytes,
                             std::vector<cublasLtMatmulHeuristicResult_t>& others) const {
  std::erase_if(others, [&](cublasLtMatmulHeuristicResult_t& other) {
    cublasLtMatmulHeuristicResult_t here{};
    const cublasStatus_t status =
        cublasLtMatmulAlgoCheck(handle, operation_, weight_, a_, c_, c_, &other.algo, &here);
    other.workspaceSize = here.workspaceSize;
    return status != CUBLAS_STATUS_SUCCESS || here.workspaceSize > workspace_bytes;
  });
}

cublasStatus_t GemmProblem::Multiply(cublasLtHandle_t handle, const cublasLtMatmulAlgo_t& algorithm,
                                     const void* a, const void* weight, void* c, void* workspace,
                                     std::size_t workspace_bytes, CUstream_st* stream,
                                     bool add) const {
  constexpr float kOne = 1;
  const float old = add ? 1 : 0;
  return cublasLtMatmul(handle, operation_, &kOne, weight, weight_, a, a_, &old, c, c_, c, c_,
                        &algorithm, workspace, workspace_bytes, stream);
}

}  // namespace kernels::cuda
