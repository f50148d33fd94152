// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>

#include "kernels/cuda/runtime/check_cuda.h"
#include "suites/cuda/device_pool.h"

namespace suites {
namespace {

using kernels::DType;
using kernels::cuda::CheckCuda;
using kernels::cuda::CheckLaunch;

constexpr std::size_t kAlignment = 256;
// Most cases fit one block of this size; one that needs more gets a block of its own.
constexpr std::size_t kBlockBytes = std::size_t{1280} << 20;
constexpr std::size_t kSmallBytes = std::size_t{16} << 20;  // of kinds that are small

// SplitMix64's finaliser (Steele, Lea, Flood 2014): a function of the place alone.
__device__ std::uint64_t Hash(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

struct Uniform {
  template <class T>
  __device__ void operator()(T* to, std::uint64_t i) const {
    to[i] = static_cast<T>(static_cast<float>(Hash(i) >> 40) * 0x1p-23F - 1.0F);
  }
};
struct Bytes {
  __device__ void operator()(std::uint8_t* to, std::uint64_t i) const {
    to[i] = static_cast<std::uint8_t>(Hash(i) >> 56);
  }
};
struct ScaleBytes {
  __device__ void operator()(std::uint8_t* to, std::uint64_t i) const {
    to[i] = static_cast<std::uint8_t>(120 + Hash(i) % 15);
  }
};
struct Index {
  __device__ void operator()(std::int32_t* to, std::uint64_t i) const {
    to[i] = static_cast<std::int32_t>(i);
  }
};

template <class T, class F>
__global__ void FillKernel(T* to, std::uint64_t count, F f) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    f(to, i);
  }
}

template <class T, class F>
void Fill(std::span<std::byte> bytes, F f) {
  FillKernel<<<2048, 256>>>(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T), f);
  CheckLaunch("filling a pool");
  CheckCuda(cudaDeviceSynchronize(), "filling a pool");
}

}  // namespace

void DevicePool::Rewind() {
  for (auto& [kind, block] : blocks_) {
    block.used = 0;
  }
}

std::byte* DevicePool::Take(Kind kind, std::size_t bytes) {
  const std::size_t rounded =
      (bytes + kAlignment - 1) / kAlignment * kAlignment + 2 * DevicePool::kMargin;
  auto [at, end] = blocks_.equal_range(kind);
  at = std::find_if(at, end, [rounded](const auto& entry) {
    return entry.second.memory.size() - entry.second.used >= rounded;
  });
  if (at == end) {
    Block block;
    const bool small = kind == Kind::kIota || kind == Kind::kF16 || kind == Kind::kF8E4M3;
    block.memory =
        kernels::cuda::DeviceMemory(std::max(rounded, small ? kSmallBytes : kBlockBytes));
    const std::span<std::byte> all = block.memory.bytes();
    switch (kind) {
      case Kind::kF32:
        Fill<float>(all, Uniform{});
        break;
      case Kind::kBf16:
        Fill<__nv_bfloat16>(all, Uniform{});
        break;
      case Kind::kF16:
        Fill<__half>(all, Uniform{});
        break;
      case Kind::kF8E4M3:
        Fill<__nv_fp8_e4m3>(all, Uniform{});
        break;
      case Kind::kU8:
        Fill<std::uint8_t>(all, Bytes{});
        break;
      case Kind::kScales:
        Fill<std::uint8_t>(all, ScaleBytes{});
        break;
      case Kind::kIota:
        Fill<std::int32_t>(all, Index{});
        break;
      case Kind::kOutput:
        CheckCuda(cudaMemset(all.data(), 0x5a, all.size()), "filling a pool");
        break;
    }
    at = blocks_.emplace(kind, std::move(block));
  }
  std::byte* const data = at->second.memory.data() + at->second.used + kMargin;
  at->second.used += rounded;
  return data;
}

kernels::ConstView DevicePool::Input(DType dtype, std::int64_t count) {
  constexpr Kind kKinds[] = {Kind::kF32, Kind::kBf16, Kind::kF16, Kind::kF8E4M3, Kind::kU8};
  const auto n = static_cast<std::size_t>(count);
  return {Take(kKinds[static_cast<std::size_t>(dtype)], n * ByteSize(dtype)), n, dtype};
}

kernels::ConstView DevicePool::Scales(std::int64_t count) {
  const auto n = static_cast<std::size_t>(count);
  return {Take(Kind::kScales, n), n, DType::kU8};
}

kernels::View DevicePool::Output(DType dtype, std::int64_t count) {
  const auto n = static_cast<std::size_t>(count);
  return {Take(Kind::kOutput, n * ByteSize(dtype)), n, dtype};
}

std::span<const std::int32_t> DevicePool::Indices(std::int64_t count) {
  // Filled once with 0, 1, ... and shared by all: nobody writes it.
  auto at = blocks_.find(Kind::kIota);
  if (at == blocks_.end()) {
    Take(Kind::kIota, 0);
    at = blocks_.find(Kind::kIota);
  }
  return std::span(reinterpret_cast<const std::int32_t*>(at->second.memory.data()),
                   at->second.memory.size() / sizeof(std::int32_t))
      .first(static_cast<std::size_t>(count));
}

}  // namespace suites
