// SPDX-License-Identifier: Apache-2.0
#include "suites/cpu/pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernels/element.h"

namespace suites {
namespace {

using kernels::At;
using kernels::ConstView;
using kernels::DType;

TEST(Pool, InputsAreRandomNumbersInRangeAndNeverZero) {
  Pool pool;
  pool.Rewind();
  for (const DType dtype : {DType::kF32, DType::kBf16}) {
    constexpr std::int64_t kCount = 100000;
    const ConstView view = pool.Input(dtype, kCount);
    double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < kCount; ++i) {
      const double value = At(view, i);
      ASSERT_LT(std::abs(value), 1.0);
      ASSERT_NE(value, 0.0);
      sum += value;
      squares += value * value;
    }
    // Mean 0; variance 1/3 for uniform. bf16 has half its values in [.25, .5) and half in
    // [.5, 1): (7/48 + 7/12) / 2. Six standard errors of the mean.
    const double variance = dtype == DType::kF32 ? 1.0 / 3 : 35.0 / 96;
    EXPECT_LT(std::abs(sum / kCount), 6 * std::sqrt(variance / kCount)) << Name(dtype);
    EXPECT_NEAR(squares / kCount, variance, 0.01) << Name(dtype);
  }
}

TEST(Pool, RewindGivesTheSamePlacesAndValues) {
  Pool pool;
  pool.Rewind();
  const ConstView a = pool.Input(DType::kF32, 1000);
  const double before = At(a, 999);
  const ConstView b = pool.Input(DType::kF32, 10);
  const kernels::View out = pool.Output(DType::kBf16, 10);
  EXPECT_GE(static_cast<const float*>(b.data), static_cast<const float*>(a.data) + 1000);
  pool.Rewind();
  EXPECT_EQ(pool.Input(DType::kF32, 500000).data, a.data);
  EXPECT_EQ(At(a, 999), before);
  EXPECT_EQ(pool.Output(DType::kBf16, 10).data, out.data);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data) % 64, 0U);
}

TEST(Pool, TooMuchIsAnError) {
  Pool pool;
  pool.Rewind();
  EXPECT_THROW(pool.Input(DType::kF32, 4 << 20), std::length_error);
  EXPECT_THROW(pool.Output(DType::kBf16, 7 << 20), std::length_error);
}

}  // namespace
}  // namespace suites
