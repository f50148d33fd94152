// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>

#include "tests/perfgate/bench/cuda/fixture_work.h"

namespace perfgate::bench {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 132 * 8;
static_assert(kParts == std::size_t{kBlocks} * kThreads);

__device__ float Iterated(float v) {
  for (int s = 0; s < kSteps; ++s) v = fmaf(v, 0.999F, 0.001F);
  return v;
}

template <class Each>
__device__ void ForEach(std::size_t count, const Each& each) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    each(i);
  }
}

__global__ void FixtureIterate(const float* x, float* y, std::size_t count) {
  ForEach(count, [=](std::size_t i) { y[i] = Iterated(x[i]); });
}

__global__ void FixtureCompare(const float* x, const float* y, std::size_t count, float bound,
                               unsigned* different) {
  ForEach(count, [=](std::size_t i) {
    double v = x[i];
    for (int s = 0; s < kSteps; ++s) v = fma(v, double{0.999F}, double{0.001F});
    if (!(fabs(v - double{y[i]}) <= double{bound})) atomicAdd(different, 1U);
  });
}

__global__ void FixtureIterateF16(const float* x, float* y, std::size_t count) {
  ForEach(count / 2, [=](std::size_t i) {
    __half2 v = __floats2half2_rn(x[2 * i], x[2 * i + 1]);
    const __half2 a = __float2half2_rn(0.999F);
    const __half2 b = __float2half2_rn(0.001F);
    for (int s = 0; s < kSteps; ++s) v = __hfma2(v, a, b);
    y[2 * i] = __low2float(v);
    y[2 * i + 1] = __high2float(v);
  });
}

__global__ void FixtureConstant(float* y, std::size_t count, float value) {
  ForEach(count, [=](std::size_t i) { y[i] = value; });
}

__global__ void FixtureCopy(const float* x, float* y, std::size_t count) {
  ForEach(count, [=](std::size_t i) { y[i] = x[i]; });
}

template <class Load>
__device__ void PartialSums(float* y, std::size_t count, const Load& load) {
  float sum = 0;
  ForEach(count / 4, [&](std::size_t i) {
    const float4 v = load(i);
    sum += (v.x + v.y) + (v.z + v.w);
  });
  y[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = sum;
}

__global__ void FixturePartialSums(const float4* x, float* y, std::size_t count) {
  PartialSums(y, count, [x](std::size_t i) { return __ldcg(x + i); });
}

__global__ void FixturePartialSumsKept(const float4* x, float* y, std::size_t count) {
#if __CUDA_ARCH__ >= 800
  std::uint64_t keep = 0;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(keep));
  PartialSums(y, count, [x, keep](std::size_t i) {
    float4 v;
    asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(x + i), "l"(keep));
    return v;
  });
#endif
}

__global__ void FixtureAtomicSum(const float* x, std::size_t count, float* sum) {
  float part = 0;
  ForEach(count, [&](std::size_t i) { part += x[i]; });
  atomicAdd(sum, part);
}

__global__ void FixtureTrap() { asm volatile("trap;"); }

__global__ void FixtureWriteOne(float* at, float value) { *at = value; }

__global__ void FixtureHash(const float* x, std::size_t count, Memo* memo) {
  unsigned long long hash = 0;
  ForEach(count, [&](std::size_t i) {
    hash += (static_cast<unsigned long long>(__float_as_uint(x[i])) + i) * 0x9E3779B97F4A7C15U;
  });
  atomicAdd(&memo->hash, hash);
}

__global__ void FixtureMemoized(const float* x, float* y, float* kept, std::size_t count,
                                const Memo* memo) {
  const bool hit = memo->hash == memo->known;
  ForEach(count, [=](std::size_t i) {
    if (hit) {
      y[i] = kept[i];
    } else {
      y[i] = kept[i] = Iterated(x[i]);
    }
  });
}

__global__ void FixtureRemember(Memo* memo) {
  if (memo->hash == memo->known) ++memo->hits;
  memo->known = memo->hash;
  memo->hash = 0;
}

}  // namespace

void LaunchIterate(const float* x, float* y, std::size_t count, cudaStream_t stream) {
  FixtureIterate<<<kBlocks, kThreads, 0, stream>>>(x, y, count);
}

void LaunchCompare(const float* x, const float* y, std::size_t count, float bound,
                   unsigned* different, cudaStream_t stream) {
  FixtureCompare<<<kBlocks, kThreads, 0, stream>>>(x, y, count, bound, different);
}

void LaunchIterateF16(const float* x, float* y, std::size_t count, cudaStream_t stream) {
  FixtureIterateF16<<<kBlocks, kThreads, 0, stream>>>(x, y, count);
}

void LaunchConstant(float* y, std::size_t count, float value, cudaStream_t stream) {
  FixtureConstant<<<kBlocks, kThreads, 0, stream>>>(y, count, value);
}

void LaunchPartialSumsKept(const float* x, float* y, std::size_t count, cudaStream_t stream) {
  FixturePartialSumsKept<<<kBlocks, kThreads, 0, stream>>>(reinterpret_cast<const float4*>(x), y,
                                                           count);
}

void LaunchCopy(const float* x, float* y, std::size_t count, cudaStream_t stream) {
  FixtureCopy<<<kBlocks, kThreads, 0, stream>>>(x, y, count);
}

void LaunchPartialSums(const float* x, float* y, std::size_t count, cudaStream_t stream) {
  FixturePartialSums<<<kBlocks, kThreads, 0, stream>>>(reinterpret_cast<const float4*>(x), y,
                                                       count);
}

void LaunchAtomicSum(const float* x, std::size_t count, float* sum, cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof *sum, stream);
  FixtureAtomicSum<<<kBlocks, kThreads, 0, stream>>>(x, count, sum);
}

void LaunchTrap(cudaStream_t stream) { FixtureTrap<<<1, 1, 0, stream>>>(); }

void LaunchWriteOne(float* at, float value, cudaStream_t stream) {
  FixtureWriteOne<<<1, 1, 0, stream>>>(at, value);
}

void LaunchMemoized(const float* x, float* y, float* kept, std::size_t count, Memo* memo,
                    cudaStream_t stream) {
  FixtureHash<<<kBlocks, kThreads, 0, stream>>>(x, count, memo);
  FixtureMemoized<<<kBlocks, kThreads, 0, stream>>>(x, y, kept, count, memo);
  FixtureRemember<<<1, 1, 0, stream>>>(memo);
}

}  // namespace perfgate::bench
