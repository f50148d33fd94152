// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/memory.h"
#include "kernels/error.h"
#include "suites/cuda/difference.h"

namespace suites {
namespace {

using kernels::DType;
using kernels::cuda::CheckCuda;
using kernels::cuda::CheckLaunch;

struct Sums {
  unsigned long long unequal;
  unsigned long long non_finite;
  double error2;
  double norm2;
};

template <class T>
__global__ void CompareKernel(const T* a, const T* b, std::uint64_t count, Sums* sums) {
  unsigned long long unequal = 0;
  unsigned long long non_finite = 0;
  double error2 = 0;
  double norm2 = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const double x = static_cast<float>(a[i]);
    const double y = static_cast<float>(b[i]);
    const bool same = x == y || (isnan(x) && isnan(y));
    unequal += same ? 0 : 1;
    if (isfinite(x) && isfinite(y)) {
      error2 += (x - y) * (x - y);
      norm2 += y * y;
    } else {
      non_finite += same ? 0 : 1;
    }
  }
  atomicAdd(&sums->unequal, unequal);
  atomicAdd(&sums->non_finite, non_finite);
  atomicAdd(&sums->error2, error2);
  atomicAdd(&sums->norm2, norm2);
}

}  // namespace

Difference Compare(kernels::ConstView a, kernels::ConstView b) {
  if (a.dtype != b.dtype || a.count != b.count) {
    throw kernels::Error("compare: the buffers differ in dtype or size");
  }
  const kernels::cuda::DeviceMemory memory(sizeof(Sums));
  auto* const sums = reinterpret_cast<Sums*>(memory.data());
  CheckCuda(cudaMemset(sums, 0, sizeof(Sums)), "compare");
  CheckCuda(cudaDeviceSynchronize(), "compare");
  const auto run = [&]<class T>(const T*) {
    CompareKernel<<<1024, 256>>>(static_cast<const T*>(a.data), static_cast<const T*>(b.data),
                                 a.count, sums);
  };
  switch (a.dtype) {
    case DType::kF32:
      run(static_cast<const float*>(nullptr));
      break;
    case DType::kBf16:
      run(static_cast<const __nv_bfloat16*>(nullptr));
      break;
    case DType::kF16:
      run(static_cast<const __half*>(nullptr));
      break;
    case DType::kF8E4M3:
      run(static_cast<const __nv_fp8_e4m3*>(nullptr));
      break;
    case DType::kU8:
      run(static_cast<const std::uint8_t*>(nullptr));
      break;
  }
  CheckLaunch("compare");
  Sums host{};
  CheckCuda(cudaMemcpy(&host, sums, sizeof(Sums), cudaMemcpyDeviceToHost), "compare");
  return {.unequal = host.unequal,
          .non_finite = host.non_finite,
          .relative_l2 = host.error2 == 0 ? 0 : std::sqrt(host.error2 / host.norm2)};
}

double Allowance(DType dtype) {
  constexpr std::array kAllowance = {2e-5, 5e-4, 1e-4, 1e-3, 0.0};
  return kAllowance[static_cast<std::size_t>(dtype)];
}

std::string Disagreement(std::string_view name, kernels::ConstView got, kernels::ConstView want) {
  const Difference difference = Compare(got, want);
  const double allowed = Allowance(got.dtype);
  const bool within = allowed == 0 ? difference.unequal == 0 : difference.relative_l2 <= allowed;
  if (within && difference.non_finite == 0) {
    return "";
  }
  char text[160];
  std::snprintf(text, sizeof text,
                ": %llu of %zu elements differ, %llu of them in being finite, relative L2 %.2e "
                "(allowed %.0e)",
                static_cast<unsigned long long>(difference.unequal), got.count,
                static_cast<unsigned long long>(difference.non_finite), difference.relative_l2,
                allowed);
  return std::string(name) + text;
}

}  // namespace suites
