// SPDX-License-Identifier: Apache-2.0
// What may be said of a case, and the command that made it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/report/suites/gate_command.h"
#include "tests/perfgate/report/suites/suite_samples.h"

namespace perfgate::report {
namespace {

TEST(ClaimSentence, HasNIntervalAndClaim) {
  ColumnVerdict column = sample::measured_column("sort/n:16", Verdict::kRegression, Claim::kStrong,
                                                 0.0502, 0.0021, 10);
  column.p_adjusted = 0.002;
  EXPECT_EQ(ClaimSentence(column),
            "sort/n:16 is 5.02 % slower (95 % interval +4.81 % to +5.23 %, n = 10 rounds, p = "
            "0.002, tolerance 2 %): regression, claim strong.");
}

TEST(ClaimSentence, SaysNoMoreThanTheEvidence) {
  ColumnVerdict column = sample::measured_column("a", Verdict::kInconclusive,
                                                 Claim::kNoiseDominated, 0.0087, 0.02, 24);
  EXPECT_EQ(ClaimSentence(column),
            "a was measured 0.87 % slower (95 % interval -1.13 % to +2.87 %, n = 24 rounds, "
            "tolerance 2 %): inconclusive, claim noise dominated.");
  column =
      sample::measured_column("a", Verdict::kInconclusive, Claim::kInsufficient, -0.01, 0.03, 4);
  column.gated = false;
  EXPECT_EQ(ClaimSentence(column),
            "a was measured 1.00 % faster (no interval below 6 rounds; rounds from -4.00 % to "
            "+2.00 %, n = 4 rounds, tolerance 2 %): inconclusive, not gated, claim insufficient.");
  column.effect.estimate = 0;
  EXPECT_THAT(ClaimSentence(column), testing::StartsWith("a was measured unchanged ("));
  EXPECT_EQ(ClaimSentence(sample::faulty_column("a", Verdict::kFailed, "crashed: candidate")),
            "a was not measured: failed, crashed: candidate.");
}

TEST(GateCommand, HasEveryOptionThatIsNotTheDefault) {
  SuiteVerdict verdict;
  verdict.arms = sample::two_arms("old/my bench", "new/bench");
  verdict.suite = "my";
  verdict.schedule.seed = "31e8041084a71661";
  verdict.policy.tolerance = 0.07;
  verdict.policy.filter = "a|b";
  verdict.policy.budget_s = 40;
  EXPECT_EQ(GateCommandOf(verdict),
            "perfgate gate --baseline 'old/my bench' --candidate new/bench --suite my "
            "--tolerance 7% --budget 40s --filter 'a|b' --seed 31e8041084a71661");
  verdict.grade = "stored";
  EXPECT_EQ(GateCommandOf(verdict), "");
}

}  // namespace
}  // namespace perfgate::report
