// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/dot/gemm_plans.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <tuple>

#include "kernels/cuda/dot/gemm_lt.h"
#include "kernels/cuda/dot/gemm_tune.h"
#include "kernels/cuda/runtime/check_cuda.h"

namespace kernels::cuda {
namespace {

constexpr int kProposals = 8;  // cuBLASLt has no more for most shapes
// Below so many rows, what it proposes for the next power of two of them is tried too, 16 or more:
// of 8 x 4096 x 4096 on an H100 its own best takes 15.4 us, the best for 16 rows 14.6.
constexpr std::int64_t kFewRows = 64;

// What cuBLAS's documentation advises: 32 MiB on Hopper and later, 4 MiB before.
constexpr std::size_t WorkspaceOf(int sm) { return std::size_t{sm >= 90 ? 32U : 4U} << 20; }

template <class T>
int ConfigOf(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t what) {
  T value{};
  std::size_t written = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoConfigGetAttribute(&algorithm, what, &value, sizeof value, &written);
  return status == CUBLAS_STATUS_SUCCESS ? static_cast<int>(value) : 0;
}

GemmChoice ChoiceOf(const cublasLtMatmulHeuristicResult_t& result) {
  const cublasLtMatmulAlgo_t& algorithm = result.algo;
  return {
      .found = true,
      .algorithm = ConfigOf<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_ID),
      .tile = ConfigOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID),
      .stages = ConfigOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID),
      .split_k = ConfigOf<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM),
      .reduction = ConfigOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME),
      .swizzle = ConfigOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING),
      .custom = ConfigOf<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION),
      .inner_shape = ConfigOf<std::uint16_t>(algorithm, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID),
      .cluster_shape = ConfigOf<std::uint16_t>(algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID),
      .workspace = result.workspaceSize};
}

struct Plan {
  explicit Plan(const GemmShape& shape) : problem(shape) {}

  GemmProblem problem;
  cublasLtMatmulAlgo_t algorithm{};
  GemmChoice choice;
};

struct PlanKey {
  std::int64_t m, n, k, batch;
  DType dtype;
  bool tuned;
  GemmAlignment alignment;
  auto operator<=>(const PlanKey&) const = default;
};

bool Empty(const GemmShape& shape) { return shape.m == 0 || shape.n == 0; }

}  // namespace

std::string Describe(const GemmChoice& choice) {
  if (!choice.found) {
    return "none";
  }
  std::string text;
  const auto add = [&text](const char* key, const std::string& value) {
    text.append(text.empty() ? "" : " ").append(key).append(":").append(value);
  };
  add("algorithm", std::to_string(choice.algorithm));
  add("tile", std::to_string(choice.tile));
  add("stages", std::to_string(choice.stages));
  add("split_k", std::to_string(choice.split_k));
  add("reduction", std::to_string(choice.reduction));
  add("swizzle", std::to_string(choice.swizzle));
  add("custom", std::to_string(choice.custom));
  add("inner_shape", std::to_string(choice.inner_shape));
  add("cluster_shape", std::to_string(choice.cluster_shape));
  add("workspace", std::to_string(choice.workspace));
  add("rank", std::to_string(choice.rank));
  if (choice.timed > 0) {
    char microseconds[32];
    std::snprintf(microseconds, sizeof microseconds, "%.2f", choice.microseconds);
    add("timed", std::to_string(choice.timed));
    add("us", microseconds);
  }
  return text;
}

struct GemmPlans::Impl {
  explicit Impl(const GpuLimits& gpu_limits) : limits(gpu_limits) {
    CheckCublas(cublasLtCreate(&handle), "cublasLtCreate");
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    plans.clear();
    (void)cublasLtDestroy(handle);
  }

  const Plan& Get(const GemmShape& shape, const GemmAlignment& alignment, bool tuned) {
    const PlanKey key{shape.m, shape.n, shape.k, shape.batch, shape.dtype, tuned, alignment};
    if (const auto found = plans.find(key); found != plans.end()) {
      return *found->second;
    }
    auto plan = std::make_unique<Plan>(shape);
    const std::size_t workspace = WorkspaceOf(limits.device_sm);
    auto proposals = plan->problem.Propose(handle, alignment, workspace, tuned ? kProposals : 1);
    if (tuned && shape.m < kFewRows) {
      GemmShape more = shape;
      more.m = std::max<std::int64_t>(
          16, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(shape.m + 1))));
      auto others = GemmProblem(more).Propose(handle, alignment, workspace, kProposals);
      plan->problem.KeepUsable(handle, workspace, others);
      proposals.insert(proposals.end(), others.begin(), others.end());
    }
    if (!proposals.empty()) {
      GemmTuned best;
      if (tuned) {
        best = TuneGemm(shape, plan->problem, handle, proposals, alignment, workspace, limits);
      }
      if (best.timed > 0 || !tuned) {
        plan->algorithm = proposals[best.best].algo;
        plan->choice = ChoiceOf(proposals[best.best]);
        plan->choice.rank = static_cast<int>(best.best);
        plan->choice.timed = best.timed;
        plan->choice.microseconds = best.microseconds;
      }
    }
    return *plans.emplace(key, std::move(plan)).first->second;
  }

  bool Known(const GemmShape& shape, const GemmAlignment& alignment, bool tuned) const {
    return plans.contains({shape.m, shape.n, shape.k, shape.batch, shape.dtype, tuned, alignment});
  }

  GpuLimits limits;
  cublasLtHandle_t handle = nullptr;
  std::map<PlanKey, std::unique_ptr<Plan>> plans;
};

GemmPlans::GemmPlans(const GpuLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}

GemmPlans::~GemmPlans() = default;

std::size_t GemmPlans::workspace_bytes() const { return WorkspaceOf(impl_->limits.device_sm); }

GemmChoice GemmPlans::Prepare(const GemmShape& shape, bool tuned) {
  return Empty(shape) ? GemmChoice{} : impl_->Get(shape, {}, tuned).choice;
}

bool GemmPlans::Run(const GemmArgs& args, bool tuned, const Context& context) {
  if (Empty(args.shape)) {
    return true;
  }
  const GemmAlignment alignment = AlignmentOf(args);
  if (!impl_->Known(args.shape, alignment, tuned)) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    CheckCuda(cudaStreamIsCapturing(context.stream, &status), "cudaStreamIsCapturing");
    if (status != cudaStreamCaptureStatusNone) {
      throw Error("gemm: a product must run once before it is captured, to be planned");
    }
  }
  const Plan& plan = impl_->Get(args.shape, alignment, tuned);
  if (!plan.choice.found) {
    return false;
  }
  CheckCublas(plan.problem.Multiply(impl_->handle, plan.algorithm, args.a.data, args.weight.data,
                                    args.c.data, context.workspace.data(), context.workspace.size(),
                                    context.stream),
              "gemm: cublasLtMatmul");
  return true;
}

}  // namespace kernels::cuda
