// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/element.cuh"
#include "kernels/cuda/runtime/random_fill.h"
#include "kernels/philox.h"

namespace kernels::cuda {
namespace {

template <class T>
__global__ void FillKernel(T* data, std::int64_t count, std::uint64_t seed) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const PhiloxKey key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       4 * i < count; i += threads) {
    const PhiloxCounter bits =
        Philox({{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), 0, 0}}, key);
    for (std::int64_t j = 0; j < 4 && 4 * i + j < count; ++j) {
      const auto signed_bits = static_cast<std::int32_t>(bits.word[j]);
      data[4 * i + j] = FromFloat<T>(static_cast<float>(signed_bits >> 8) * 0x1p-23f);
    }
  }
}

}  // namespace

void FillUniform(View view, std::uint64_t seed, CUstream_st* stream) {
  const auto count = static_cast<std::int64_t>(view.count);
  if (count == 0) {
    return;
  }
  constexpr std::int64_t kThreads = 256;
  const std::int64_t blocks = std::clamp<std::int64_t>(count / 4 / kThreads, 1, 4096);
  ForFloatOrBf16(view.dtype, [&]<class T>(Tag<T>) {
    FillKernel<T><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(
        static_cast<T*>(view.data), count, seed);
  });
  CheckLaunch("filling with random numbers");
}

}  // namespace kernels::cuda
