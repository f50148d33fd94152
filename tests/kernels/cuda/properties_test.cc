// SPDX-License-Identifier: Apache-2.0
// What the contracts promise beyond what the CPU can be asked for or the inputs of problem.h reach:
// indices in device memory that are out of range, rows masked in whole parts, work that follows
// other work at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/queue.h"
#include "tests/kernels/arena.h"
#include "tests/kernels/cuda/device_buffer.h"
#include "tests/kernels/cuda/row_test.h"

namespace kernels::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

using CudaProperties = RowTest;

TEST_F(CudaProperties, RopeOfAPositionOutOfRangeIsNanAndTheOthersAreNot) {
  constexpr std::int64_t kTokens = 600, kHeads = 9, kDim = 64, kTable = 50;
  const DeviceBuffer<float> x(Uniform(kTokens * kHeads * kDim, 1));
  const DeviceBuffer<float> table(Uniform(kTable * kDim / 2, 2));
  std::vector<std::int32_t> positions;
  for (std::int32_t t = 0; t < kTokens; ++t) {
    positions.push_back(t % 3 == 0 ? t % kTable : t % 3 == 1 ? kTable + t * 1000 : -1 - t);
  }
  const DeviceBuffer<std::int32_t> device_positions(positions);
  EachRow<RopeArgs>([&](auto run) {
    const DeviceBuffer<float> y(std::vector<float>(kTokens * kHeads * kDim, 7.0F));
    run(RopeArgs{{kTokens, kHeads, kDim, DType::kF32},
                 In(x),
                 In(table),
                 In(table),
                 device_positions.span(),
                 Out(y)});
    const std::vector<float> got = y.Host();
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(std::isnan(got[i]), i / (kHeads * kDim) % 3 != 0) << i;
    }
  });
}

TEST_F(CudaProperties, RopeAppendLeavesTheCacheAloneForATokenOutOfRange) {
  constexpr std::int64_t kTokens = 500, kHeads = 4, kKvHeads = 2, kDim = 64, kTable = 50;
  constexpr std::int64_t kSlots = kTokens;
  const DeviceBuffer<float> qkv(Uniform(kTokens * (kHeads + 2 * kKvHeads) * kDim, 1));
  const DeviceBuffer<float> table(Uniform(kTable * kDim / 2, 2));
  std::vector<std::int32_t> positions, slots;
  std::vector<bool> written(kSlots, false);
  for (std::int32_t t = 0; t < kTokens; ++t) {
    const bool bad_position = t % 4 == 1;
    const bool bad_slot = t % 4 == 2;
    positions.push_back(bad_position ? (t % 8 == 1 ? -1 : kTable) : t % kTable);
    slots.push_back(bad_slot ? (t % 8 == 2 ? -1 : static_cast<std::int32_t>(kSlots)) : t);
    written[static_cast<std::size_t>(t)] = !bad_position && !bad_slot;
  }
  const DeviceBuffer<std::int32_t> device_positions(positions), device_slots(slots);
  EachRow<RopeAppendArgs>([&](auto run) {
    const DeviceBuffer<float> q(std::vector<float>(kTokens * kHeads * kDim, 7.0F));
    const std::vector<float> poison(kSlots * kKvHeads * kDim, 7.0F);
    const DeviceBuffer<float> k(poison), v(poison);
    run(RopeAppendArgs{{kTokens, kHeads, kKvHeads, kDim, DType::kF32},
                       In(qkv),
                       In(table),
                       In(table),
                       device_positions.span(),
                       device_slots.span(),
                       Out(q),
                       Out(k),
                       Out(v)});
    const std::vector<float> got_q = q.Host(), got_k = k.Host(), got_v = v.Host();
    for (std::size_t i = 0; i < got_q.size(); ++i) {
      ASSERT_EQ(std::isnan(got_q[i]), !written[i / (kHeads * kDim)]) << i;
    }
    for (std::size_t i = 0; i < got_k.size(); ++i) {
      const bool wrote = written[i / (kKvHeads * kDim)];
      ASSERT_EQ(got_k[i] != 7.0F, wrote) << i;
      ASSERT_EQ(got_v[i] != 7.0F, wrote) << i;
    }
  });
}

// Whole warps, blocks and ranks of a cluster see nothing but -inf, beside numbers so low that e^-x
// overflows.
TEST_F(CudaProperties, SoftmaxOfAMaskedRowIgnoresTheMask) {
  EachRow<SoftmaxArgs>([&](auto run) {
    for (const std::int64_t cols : {40, 1024, 1025, 5000, 40000, 131072, 600000}) {
      for (const std::int64_t rows : {1, 300}) {
        if (rows * cols > 20'000'000) {
          continue;
        }
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
        std::vector<float> values(static_cast<std::size_t>(rows * cols), -kInf);
        const std::int64_t shown = std::max<std::int64_t>(1, cols / 5);
        for (std::int64_t row = 0; row < rows; ++row) {
          for (std::int64_t i = 0; i < shown; ++i) {
            const std::int64_t at = row % 2 == 0 ? i : cols - 1 - i;
            values[static_cast<std::size_t>(row * cols + at)] = -1000.0F;
          }
        }
        const DeviceBuffer<float> x(values), y(std::vector<float>(values.size(), 7.0F));
        run(SoftmaxArgs{{rows, cols, DType::kF32}, In(x), Out(y)});
        const std::vector<float> got = y.Host();
        const double each = 1.0 / static_cast<double>(shown);
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_NEAR(got[i], values[i] == -kInf ? 0.0 : each, each * 1e-5) << i;
        }
      }
    }
  });
}

TEST_F(CudaProperties, SoftmaxOfNothingOrWithInfinityIsNan) {
  EachRow<SoftmaxArgs>([&](auto run) {
    for (const std::int64_t cols : {5, 1000, 8192, 70000}) {
      std::vector<float> values(static_cast<std::size_t>(3 * cols), -kInf);
      values[static_cast<std::size_t>(cols)] = kInf;
      std::fill(values.begin() + 2 * cols, values.end(), 0.5F);
      values.back() = std::numeric_limits<float>::quiet_NaN();
      const DeviceBuffer<float> x(values), y(std::vector<float>(values.size(), 7.0F));
      run(SoftmaxArgs{{3, cols, DType::kF32}, In(x), Out(y)});
      for (const float value : y.Host()) {
        ASSERT_TRUE(std::isnan(value)) << cols;
      }
    }
  });
}

TEST_F(CudaProperties, InPlaceGivesTheSameBits) {
  EachRow<RmsNormArgs>([&](auto run) {
    for (const std::int64_t cols : {100, 4096, 8192, 70000, 600000}) {
      const std::int64_t rows = cols < 10000 ? 300 : 2;
      const DeviceBuffer<float> weight(Uniform(cols, 3));
      const DeviceBuffer<float> x(Uniform(rows * cols, 4)), y(Uniform(rows * cols, 5));
      run(RmsNormArgs{{rows, cols, DType::kF32}, 1e-5F, In(x), In(weight), Out(y)});
      run(RmsNormArgs{{rows, cols, DType::kF32}, 1e-5F, In(x), In(weight), Out(x)});
      ASSERT_EQ(x.Host(), y.Host()) << cols;
    }
  });
}

// Kernels that are brought up early must still see all that the one before wrote, and must not
// write what it still reads. Without Wait in between.
TEST_F(CudaProperties, EachLaunchFollowsTheOneBefore) {
  constexpr std::int64_t kRows = 500, kCols = 4096, kCount = kRows * kCols;
  constexpr int kSteps = 40;
  const std::vector<float> start = Uniform(kCount, 6);
  std::vector<float> expected = start;
  const DeviceBuffer<float> weight(std::vector<float>(kCols, 1.0F));
  const auto& norm = *cuda::Find<RmsNormArgs>("vector");
  const auto& copy = *cuda::Find<CopyArgs>("vector");
  const auto step = [&](ConstView x, View between, View y) {
    cuda::Run(norm, RmsNormArgs{{kRows, kCols, DType::kF32}, 1e-5F, x, In(weight), between}, queue);
    cuda::Run(copy, CopyArgs{{kCount, DType::kF32}, between, y}, queue);
  };
  const DeviceBuffer<float> a(start), b(start), c(start), d(start);
  for (int i = 0; i < kSteps; ++i) {
    step(In(a), Out(b), Out(a));
  }
  queue.Wait();
  for (int i = 0; i < kSteps; ++i) {
    step(In(c), Out(d), Out(c));
    queue.Wait();
  }
  ASSERT_EQ(a.Host(), c.Host());
  ASSERT_NE(a.Host(), start);
}

}  // namespace
}  // namespace kernels::testing
