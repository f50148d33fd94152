// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/step_bucket.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(StepBucket, IsAPowerOfTwoThatHoldsTheLength) {
  EXPECT_EQ(StepBucket(1), 256);
  EXPECT_EQ(StepBucket(256), 256);
  EXPECT_EQ(StepBucket(257), 512);
  EXPECT_EQ(StepBucket(std::int64_t{1} << 20), std::int64_t{1} << 20);
  for (std::int64_t length = 1; length < 5000; ++length) {
    EXPECT_GE(StepBucket(length), length);
    EXPECT_LT(StepBucket(length), std::max<std::int64_t>(2 * length, 257));
    EXPECT_LE(StepBucket(length), StepBucket(length + 1));
  }
}

}  // namespace
}  // namespace engine
