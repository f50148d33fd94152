// SPDX-License-Identifier: Apache-2.0
// engine_suite_answers_test.cc: options and builds of the engine that answer worse, break a
// promise, have other stages or generate another number of tokens. Nothing here asserts seconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "perfgate/gtest/gtest.h"
#include "tests/e2e/engine_suite.h"
#include "tests/support/arguments.h"

namespace {

using engine_suite::Column;
using engine_suite::Gate;
using engine_suite::Judge;
using perfgate::Exit;
using perfgate::SuiteVerdict;
using perfgate::Verdict;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(EngineSuite, OtherTokenCountsAreNotComparable) {
  const SuiteVerdict verdict = Gate(TOKENS_32, TOKENS_33, "--rounds 1");
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  ASSERT_EQ(verdict.columns.size(), 1U);
  EXPECT_EQ(verdict.columns[0].verdict, Verdict::kNotComparable);
  EXPECT_THAT(verdict.columns[0].reason, StartsWith("token_budget_mismatch: candidate"));
  EXPECT_THAT(verdict.columns[0].reason, HasSubstr("generated_tokens: 32 against 33"));
}

std::string Tasks(const std::string& options) {
  return "--filter 'follow32/model:gqa7/" + options + "' --tolerance 20% --rounds 10";
}

// attention:reference runs one step in four: less time, and most tokens wrong.
TEST(EngineSuite, AnOptionThatIsFasterAndWrongIsRejected) {
  std::string output;
  const SuiteVerdict verdict = Judge("ablate " ENGINE_BENCH_SKIPS " --key attention " +
                                         Tasks("(attention:reference/)?manual_time"),
                                     &output);
  EXPECT_THAT(output, HasSubstr("attention:reference: rejected by the wider gate"));
  EXPECT_LT(Column(verdict, "attention", "real_time").effect.estimate, -0.2);
  EXPECT_EQ(Column(verdict, "attention", "score").verdict, Verdict::kRegression);
  EXPECT_GT(Column(verdict, "attention", "score").effect.estimate, 0.3);
}

// A build is held to the score as an option is.
TEST(EngineSuite, ABuildThatIsFasterAndWrongIsARegression) {
  const SuiteVerdict verdict =
      Gate(ENGINE_BENCH, ENGINE_BENCH_SKIPS, Tasks("attention:reference/manual_time"));
  EXPECT_EQ(verdict.exit, Exit::kRegression);
  EXPECT_EQ(Column(verdict, "attention", "score").verdict, Verdict::kRegression);
  EXPECT_NE(Column(verdict, "attention", "real_time").verdict, Verdict::kRegression);
}

// ffn:batched does the same, and promises every bit.
TEST(EngineSuite, AnOptionThatBreaksItsPromiseIsInvalid) {
  std::string output;
  const SuiteVerdict verdict = Judge(
      "ablate " ENGINE_BENCH_SKIPS " --key ffn " + Tasks("(ffn:batched/)?manual_time"), &output);
  EXPECT_THAT(output, HasSubstr("ffn:batched: not judged"));
  EXPECT_EQ(verdict.exit, Exit::kInvalid);
  ASSERT_FALSE(verdict.columns.empty());
  EXPECT_THAT(verdict.columns[0].reason, HasSubstr("another result, as result_digest shows"));
}

TEST(EngineSuite, AnOptionThatKeepsItsPromiseIsJudged) {
  std::string output;
  const SuiteVerdict verdict =
      Judge("ablate " ENGINE_BENCH " --key ffn " + Tasks("(ffn:batched/)?manual_time"), &output);
  EXPECT_THAT(output, ::testing::Not(HasSubstr("not judged")));
  EXPECT_NE(verdict.exit, Exit::kInvalid);
  EXPECT_EQ(Column(verdict, "ffn", "score").effect.estimate, 0);
}

// What is gated says the policy of the suite on a GPU. Its 5 % are not for a machine that runs
// tests: which decision it is, is not asserted.
std::string Starts(const std::string& bench) {
  return "ablate " + bench + " --key preload --policy " + perfgate::test_support::SourceFolder() +
         "/baselines/policy/engine_cuda.json "
         "--filter 'test:start/model:gqa7/(preload:pread/)?manual_time' --rounds 10";
}

TEST(EngineSuite, AnOptionOfTheStartIsJudgedByOpeningAndRequestTogether) {
  std::string output;
  const SuiteVerdict verdict = Judge(Starts(ENGINE_BENCH), &output);
  EXPECT_THAT(output, HasSubstr("preload:pread: "));
  EXPECT_THAT(output, ::testing::Not(HasSubstr("not judged")));
  EXPECT_NE(verdict.exit, Exit::kInvalid);
  EXPECT_TRUE(Column(verdict, "test:start", "real_time").gated);
  EXPECT_GE(Column(verdict, "test:start", "real_time").rounds, 6);
  for (const std::string metric : {"open", "request", "ttft", "tpot", "start_config",
                                   "start_device", "start_weights", "start_cache"}) {
    EXPECT_GE(Column(verdict, "test:start", metric).rounds, 6) << metric;
    EXPECT_FALSE(Column(verdict, "test:start", metric).gated) << metric;
  }
  // Of some MB: read where they are mapped, or copied.
  EXPECT_GT(Column(verdict, "test:start", "start_weights").effect.estimate, 0.5);
}

// preload:pread runs one step in four, and promises every bit.
TEST(EngineSuite, AnOptionOfTheStartThatBreaksItsPromiseIsInvalid) {
  std::string output;
  const SuiteVerdict verdict = Judge(Starts(ENGINE_BENCH_SKIPS), &output);
  EXPECT_THAT(output, HasSubstr("preload:pread: not judged"));
  EXPECT_EQ(verdict.exit, Exit::kInvalid);
}

std::string Profiled(const std::string& options) {
  return "--filter 'tg32/model:gqa7/profile:on/" + options + "manual_time' --rounds 10";
}

// The device fuses rope and attention, and with attention:reference it does not.
TEST(EngineSuite, StagesThatOnlyOneSettingHasAreShownAndNotJudged) {
  std::string output;
  const SuiteVerdict verdict = Judge("ablate " ENGINE_BENCH_FUSED " --key attention " +
                                         Profiled("attention:reference/") + " --tolerance 20%",
                                     &output);
  EXPECT_THAT(output, ::testing::Not(HasSubstr("not judged")));
  EXPECT_THAT(output, ::testing::Not(HasSubstr("bad_value")));
  for (const std::string stage : {"stage_rope", "stage_attention"}) {
    EXPECT_EQ(Column(verdict, "attention", stage).verdict, Verdict::kNew) << stage;
    EXPECT_FALSE(Column(verdict, "attention", stage).gated) << stage;
  }
  EXPECT_EQ(Column(verdict, "attention", "stage_rope_attention").verdict, Verdict::kMissing);
  EXPECT_FALSE(Column(verdict, "attention", "stage_rope_attention").gated);
  for (const std::string metric : {"real_time", "tpot", "stage_qkv", "stage_gate_up"}) {
    EXPECT_GE(Column(verdict, "attention", metric).rounds, 6) << metric;
    EXPECT_TRUE(Column(verdict, "attention", metric).gated) << metric;
  }
}

// Of two builds it is for a person to say that the stages may be others; the request is judged.
TEST(EngineSuite, ABuildWithOtherStagesIsNotComparableInThem) {
  const SuiteVerdict verdict =
      Gate(ENGINE_BENCH, ENGINE_BENCH_FUSED, Profiled("") + " --tolerance 50%");
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  EXPECT_EQ(Column(verdict, "profile", "stage_rope").verdict, Verdict::kMissing);
  EXPECT_EQ(Column(verdict, "profile", "stage_rope_attention").verdict, Verdict::kNew);
  EXPECT_GE(Column(verdict, "profile", "real_time").rounds, 6);
}

}  // namespace
