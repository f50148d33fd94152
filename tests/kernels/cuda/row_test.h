// SPDX-License-Identifier: Apache-2.0
// row_test.h: what the tests of CUDA rows share: a GPU with a queue, and each row of an op in turn.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/queue.h"
#include "tests/kernels/arena.h"
#include "tests/kernels/cuda/device_buffer.h"

namespace kernels::testing {

template <class T>
ConstView In(const DeviceBuffer<T>& buffer) {
  return std::span<const T>(buffer.span());
}
template <class T>
View Out(const DeviceBuffer<T>& buffer) {
  return buffer.span();
}

// In [-1, 1).
inline std::vector<float> Uniform(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  std::generate(values.begin(), values.end(),
                [&] { return static_cast<float>(2 * random.Uniform() - 1); });
  return values;
}

class RowTest : public ::testing::Test {
 protected:
  // test(run) for each device:cuda row of the op; run(args) returns when the row is done.
  template <class Args, class Test>
  void EachRow(Test test) {
    for (const Row<Args>& row : cuda::AllRows<Args>()) {
      SCOPED_TRACE(std::string(Table<Args>::op) + " " + std::string(row.impl));
      test([&](const Args& args) {
        cuda::Run(row, args, queue);
        queue.Wait();
      });
    }
  }

  cuda::Gpu gpu;
  cuda::Queue queue{gpu};
};

}  // namespace kernels::testing
