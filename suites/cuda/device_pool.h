// SPDX-License-Identifier: Apache-2.0
// device_pool.h: the device memory that every case of a CUDA suite works on
//
// One block per kind of data, allocated and filled once. A case rewinds the pool and
// takes buffers one after the other, so that the calls of a cold case use distinct memory. Inputs
// are random, never zero: zeros draw less power and run faster than data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "kernels/cuda/runtime/memory.h"
#include "kernels/types.h"

namespace suites {

class DevicePool {
 public:
  // Bytes before and behind every buffer that belong to none.
  static constexpr std::size_t kMargin = 256;

  void Rewind();

  // Floats uniform in [-1, 1); bytes uniform. Throws kernels::Error when the device has not enough
  // memory.
  kernels::ConstView Input(kernels::DType dtype, std::int64_t count);

  // Scales of MXFP4 blocks: bytes 120 to 134, factors of 2^-7 to 2^7.
  kernels::ConstView Scales(std::int64_t count);

  // Not initialised beyond what a former case left.
  kernels::View Output(kernels::DType dtype, std::int64_t count);

  // The same of another type than a kernels::DType.
  template <class T>
  std::span<T> Outputs(std::int64_t count) {
    const kernels::View view =
        Output(kernels::DType::kU8, count * static_cast<std::int64_t>(sizeof(T)));
    return {static_cast<T*>(view.data), static_cast<std::size_t>(count)};
  }

  // 0, 1, ...
  std::span<const std::int32_t> Indices(std::int64_t count);

  // Random codes of MXFP4 blocks.
  kernels::ConstView Codes(std::int64_t bytes) { return Input(kernels::DType::kU8, bytes); }

  // How `sample` draws.
  static constexpr float kTopP = 0.95F;
  static constexpr std::uint64_t kSeed = 7;

 private:
  enum class Kind : std::uint8_t { kF32, kBf16, kF16, kF8E4M3, kU8, kScales, kIota, kOutput };
  struct Block {
    kernels::cuda::DeviceMemory memory;
    std::size_t used = 0;  // bytes taken since Rewind
  };
  // `bytes` of `kind`, 256-byte aligned. A block grows by being made anew, which moves it: what was
  // taken from it before stays valid until Rewind.
  std::byte* Take(Kind kind, std::size_t bytes);

  std::multimap<Kind, Block> blocks_;
};

}  // namespace suites
