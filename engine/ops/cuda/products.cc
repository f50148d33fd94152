// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/products.h"

#include <cstdint>
#include <map>

#include "kernels/cuda/dot/gemm_lt.h"

namespace engine::cuda {
namespace {

using kernels::cuda::CheckCublas;
using kernels::cuda::GemmAlignment;
using kernels::cuda::GemmProblem;

unsigned AlignmentOf(const void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data) | 256U;
  return static_cast<unsigned>(address & -address);
}

struct Plan {
  explicit Plan(const Product& p)
      : problem({p.m, p.n, p.k, p.weight.dtype}, DType::kF32, p.c_row) {}

  GemmProblem problem;
  bool found = false;
  cublasLtMatmulAlgo_t algorithm{};
};

struct Key {
  std::int64_t m, n, k, c_row;
  DType dtype;
  GemmAlignment alignment;
  auto operator<=>(const Key&) const = default;
};

}  // namespace

struct Products::Impl {
  explicit Impl(int device_sm) : sm(device_sm) {
    CheckCublas(cublasLtCreate(&handle), "cublasLtCreate");
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    plans.clear();
    (void)cublasLtDestroy(handle);
  }

  int sm;
  cublasLtHandle_t handle = nullptr;
  std::map<Key, std::unique_ptr<Plan>> plans;
};

Products::Products(int sm) : impl_(std::make_unique<Impl>(sm)) {}
Products::~Products() = default;

std::size_t Products::workspace_bytes() const {
  return std::size_t{impl_->sm >= 90 ? 32U : 4U} << 20U;
}

std::size_t Products::plans() const { return impl_->plans.size(); }

bool Products::Run(const Product& p, const kernels::Context& context) {
  if (p.m == 0 || p.n == 0) {
    return true;
  }
  const GemmAlignment alignment{AlignmentOf(p.a), AlignmentOf(p.weight.data), AlignmentOf(p.c)};
  std::unique_ptr<Plan>& plan = impl_->plans[{p.m, p.n, p.k, p.c_row, p.weight.dtype, alignment}];
  if (plan == nullptr) {
    auto made = std::make_unique<Plan>(p);
    const auto proposals = made->problem.Propose(impl_->handle, alignment, workspace_bytes(), 1);
    if (!proposals.empty()) {
      made->found = true;
      made->algorithm = proposals[0].algo;
    }
    plan = std::move(made);
  }
  if (!plan->found) {
    return false;
  }
  CheckCublas(plan->problem.Multiply(impl_->handle, plan->algorithm, p.a, p.weight.data, p.c,
                                     context.workspace.data(), context.workspace.size(),
                                     context.stream, p.add),
              "cublasLtMatmul");
  return true;
}

}  // namespace engine::cuda
