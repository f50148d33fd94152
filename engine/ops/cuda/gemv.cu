// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/gemv.h"
#include "kernels/cuda/dot/dot_rows.cuh"
#include "kernels/cuda/rows/norm.cuh"
#include "kernels/cuda/rows/silu.cuh"
#include "kernels/cuda/runtime/element.cuh"
#include "kernels/cuda/runtime/gpu.h"

namespace engine::cuda {
namespace {

using kernels::Context;
using kernels::cuda::DotPlan;
using kernels::cuda::ForFloatOrBf16;
using kernels::cuda::kDotThreads;
using kernels::cuda::kDotWarps;
using kernels::cuda::kPerChunk;
using kernels::cuda::Tag;

struct Work {
  const float *x, *norm, *bias;  // the latter two may be null
  float* y;
  float inverse_k, eps;
  bool add;
};

// What is added to a row's product is asked for before its products, so that nothing waits for it
// after them: the bias, or the old value where there is one (and then a bias, which few models have
// there, comes late; one register less spares a spill).
struct StoreSink {
  const Work& work;
  float factor;

  __device__ __forceinline__ float Fetch(std::int64_t row) const {
    return work.add ? work.y[row] : work.bias == nullptr ? 0.0F : work.bias[row];
  }
  // Rounded as a product, a bias and a sum one after the other are.
  __device__ __forceinline__ void operator()(std::int64_t row, float sum, float fetched) const {
    float product = __fmul_rn(sum, factor);
    if (work.add && work.bias != nullptr) {
      product = __fadd_rn(product, work.bias[row]);
    }
    work.y[row] = __fadd_rn(product, fetched);
  }
};

// Gate and up row come one right after the other in the same lane.
struct SiluSink {
  const Work& work;
  std::int64_t half;
  float factor;
  float gate = 0;

  __device__ __forceinline__ void operator()(std::int64_t row, float sum) {
    const float value = __fmul_rn(sum, factor);
    if (row < half) {
      gate = value;
    } else {
      work.y[row - half] = kernels::cuda::SiluMul(gate, value);
    }
  }
};

template <class T, bool kAligned, int kTeam, int kRows, bool kPairs>
__global__ void __launch_bounds__(kDotThreads, kAligned ? kernels::cuda::kDotBlocksPerSm : 1)
    GemvKernel(const T* weight, std::int64_t n, std::int64_t k, int slice_chunks, Work work) {
  extern __shared__ float4 shared[];
  __shared__ float squares[kDotWarps];
  const auto share = [&](std::int64_t, int length, int chunks) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(work.x) % 16 == 0;
    if (work.norm == nullptr) {
      kernels::cuda::ShareQuads<T>(chunks, slice_chunks, shared, [&](int i) {
        return kernels::cuda::QuadOf(work.x, i, length, aligned);
      });
      return;
    }
    float sum = 0;
    kernels::cuda::ShareQuads<T>(chunks, slice_chunks, shared, [&](int i) {
      const float4 x = kernels::cuda::QuadOf(work.x, i, length, aligned);
      const float4 w = kernels::cuda::QuadOf(work.norm, i, length, true);
      sum = fmaf(x.x, x.x, fmaf(x.y, x.y, fmaf(x.z, x.z, fmaf(x.w, x.w, sum))));
      return make_float4(x.x * w.x, x.y * w.y, x.z * w.z, x.w * w.w);
    });
    sum = kernels::cuda::SumOverLanes(sum);
    if (threadIdx.x % 32 == 0) {
      squares[threadIdx.x / 32] = sum;
    }
  };
  const auto factor = [&] {
    if (work.norm == nullptr) {
      return 1.0F;
    }
    float sum = 0;
#pragma unroll
    for (int warp = 0; warp < kDotWarps; ++warp) {
      sum += squares[warp];
    }
    return kernels::cuda::norm::InverseRms(sum, work.inverse_k, work.eps);
  };
  const auto ready = [&] {
    if constexpr (kPairs) {
      return SiluSink{work, n / 2, factor()};
    } else {
      return StoreSink{work, factor()};
    }
  };
  kernels::cuda::DotRowsOf<T, kAligned, kTeam, kRows, kPairs, kernels::cuda::Weights::kAtRest>(
      weight, n, k, slice_chunks, shared, share, ready);
}

template <class T>
DotPlan PlanOf(const Weight& weight, const Context& context) {
  return kernels::cuda::PlanDot(weight.n, weight.k, kPerChunk<T>,
                                context.gpu->limits().multiprocessors, 1);
}

template <class T, bool kPairs>
void Launch(const Weight& weight, const Work& work, const Context& context) {
  const DotPlan plan = PlanOf<T>(weight, context);
  const auto* const data = static_cast<const T*>(weight.data.data);
  kernels::cuda::ForTeam(plan, [&]<int kTeam, int kRows>(kernels::cuda::Teams<kTeam, kRows>) {
    const auto start = [&](auto kernel) {
      kernels::cuda::Launch("gemv of the engine", context, kernels::cuda::GridOf(plan), kernel,
                            data, weight.n, weight.k, plan.slice_chunks, work);
    };
    if (kernels::cuda::IsAligned(data, weight.k)) {
      start(&GemvKernel<T, true, kTeam, kRows, kPairs>);
    } else {
      start(&GemvKernel<T, false, kTeam, kRows, kPairs>);
    }
  });
}

}  // namespace

bool TakesGemv(const Weight& weight, const Context& context) {
  if (weight.data.dtype == DType::kU8) {
    return false;
  }
  unsigned slices = 0;
  ForFloatOrBf16(weight.data.dtype,
                 [&]<class T>(Tag<T>) { slices = PlanOf<T>(weight, context).slices; });
  return slices == 1;
}

void RunGemv(const RowProduct& product, const Context& context) {
  const Weight& weight = *product.weight;
  if (weight.n == 0) {
    return;
  }
  const Work work{
      .x = product.x,
      .norm = product.norm,
      .bias = weight.bias.count == 0 ? nullptr : static_cast<const float*>(weight.bias.data),
      .y = product.y,
      .inverse_k = 1.0F / static_cast<float>(weight.k),
      .eps = product.eps,
      .add = product.end == GemvEnd::kAdd};
  ForFloatOrBf16(weight.data.dtype, [&]<class T>(Tag<T>) {
    if (product.end == GemvEnd::kSilu) {
      Launch<T, true>(weight, work, context);
    } else {
      Launch<T, false>(weight, work, context);
    }
  });
}

}  // namespace engine::cuda
