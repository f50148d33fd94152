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
