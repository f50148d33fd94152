// SPDX-License-Identifier: Apache-2.0
// Reads ./consumer.verdict.json.
#include <perfgate/gtest/gtest.h>

TEST(Consumer, Passes) {
  EXPECT_THAT(perfgate::read_verdict("consumer.verdict.json"), perfgate::testing::Passes());
}

TEST(Consumer, Regresses) {
  EXPECT_THAT(perfgate::read_verdict("consumer.verdict.json"),
              perfgate::testing::HasVerdict("add", perfgate::Verdict::kRegression));
}

TEST(Consumer, AssertsInProcess) {
  auto work = [] { return 1; };
  PERFGATE_EXPECT_NOT_SLOWER(work, work, 1.0);
}
