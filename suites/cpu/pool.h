// SPDX-License-Identifier: Apache-2.0
// pool.h: the memory that every case of a suite works on
//
// One block per kind of data, allocated once per process and shared by all cases: a case rewinds
// the pool and takes the same addresses every time. Inputs are filled with random numbers as far as
// any case has needed them, so set-up costs a case nothing after its first slice. Blocks are on
// huge pages where the system allows: placement of small pages is noise that repetition inside a
// process cannot average away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/types.h"

namespace suites {

class Pool {
 public:
  Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  void Rewind();

  // Uniform in [-1, 1), never exactly 0. Throws std::length_error past 12 MiB of a dtype.
  kernels::ConstView Input(kernels::DType dtype, std::int64_t count);

  // Not initialised beyond what a former case left. Throws std::length_error past 12 MiB.
  kernels::View Output(kernels::DType dtype, std::int64_t count);

  // Outputs of another type than a kernels::DType: the bytes of a float for each.
  template <class T>
  std::span<T> Outputs(std::int64_t count) {
    return {static_cast<T*>(Output(kernels::DType::kF32, count).data),
            static_cast<std::size_t>(count)};
  }

  // 0, 1, ..., for positions and slots of at most 128 tokens.
  static std::span<const std::int32_t> Indices(std::int64_t count);

  // Random codes of MXFP4 blocks, and scales of 2^0 for at most 512 blocks: of random scales most
  // would overflow.
  kernels::ConstView Codes(std::int64_t bytes);
  static kernels::ConstView Scales(std::int64_t count);

  // How `sample` draws.
  static constexpr float kTopP = 0.9F;
  static constexpr std::uint64_t kSeed = 1;

 private:
  struct Block {
    std::byte* data;
    std::size_t used;    // bytes taken since Rewind
    std::size_t filled;  // bytes that hold random numbers
  };
  static std::byte* Take(Block& block, std::size_t bytes);

  Block f32_, bf16_, output_;
};

// The pool of this process.
Pool& SharedPool();

}  // namespace suites
