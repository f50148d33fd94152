// SPDX-License-Identifier: Apache-2.0
// engine_suite_test.cc: a slowed stage of the engine is found by the gate and named; arms that
// generate another number of tokens are refused.
//
// The stage does its work twice: it takes 100 % longer, a whole token about 45 %. The tolerance is
// 20 %, so that no noise of a machine that runs tests decides. Nothing here asserts seconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "perfgate/evidence/files.h"
#include "perfgate/gtest/gtest.h"

namespace {

using perfgate::ColumnVerdict;
using perfgate::Exit;
using perfgate::SuiteVerdict;
using perfgate::Verdict;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kSlowed = "stage_gate_up";

std::string Output(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  pclose(pipe);
  std::printf("%s", output.c_str());
  return output;
}

// `what` measures and judges, and writes a verdict.
SuiteVerdict Judge(const std::string& what, std::string* output = nullptr) {
  const std::string file = ::testing::TempDir() + "engine_suite_verdict.json";
  std::filesystem::remove(file);
  const std::string text = Output(std::string(PERFGATE_EXE) + " " + what + " --json " + file);
  if (output != nullptr) {
    *output = text;
  }
  SCOPED_TRACE(text);
  return perfgate::read_verdict(file);
}

SuiteVerdict Gate(const std::string& baseline, const std::string& candidate,
                  const std::string& options) {
  return Judge("gate --baseline " + baseline + " --candidate " + candidate + " " + options);
}

std::string EngineOptions() {
  return "--filter '^engine/test:tg32/model:gqa7/(profile:on/)?manual_time' --tolerance 20% "
         "--budget 60s";
}

bool IsStage(const ColumnVerdict& column) { return column.metric.name.rfind("stage_", 0) == 0; }

TEST(EngineSuite, ASlowedStageIsFoundAndNamed) {
  const SuiteVerdict verdict = Gate(ENGINE_BENCH, ENGINE_BENCH_SLOW, EngineOptions());
  EXPECT_EQ(verdict.exit, Exit::kRegression);
  double worst = 0;
  std::string worst_stage;
  bool token_found = false;
  for (const ColumnVerdict& column : verdict.columns) {
    if (IsStage(column)) {
      EXPECT_EQ(column.verdict == Verdict::kRegression, column.metric.name == kSlowed)
          << column.metric.name << " " << to_string(column.verdict);
      if (column.effect.estimate > worst) {
        worst = column.effect.estimate;
        worst_stage = column.metric.name;
      }
    } else if (column.metric.name == "real_time") {
      token_found = token_found || column.verdict == Verdict::kRegression;
    }
  }
  EXPECT_EQ(worst_stage, kSlowed);
  EXPECT_TRUE(token_found);
}

TEST(EngineSuite, TheOtherWayRoundNothingIsSlower) {
  const SuiteVerdict verdict = Gate(ENGINE_BENCH_SLOW, ENGINE_BENCH, EngineOptions());
  for (const ColumnVerdict& column : verdict.columns) {
    EXPECT_NE(column.verdict, Verdict::kRegression) << column.metric.name;
  }
}

TEST(EngineSuite, OtherTokenCountsAreNotComparable) {
  const SuiteVerdict verdict = Gate(TOKENS_32, TOKENS_33, "--rounds 1");
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  ASSERT_EQ(verdict.columns.size(), 1U);
  EXPECT_EQ(verdict.columns[0].verdict, Verdict::kNotComparable);
  EXPECT_THAT(verdict.columns[0].reason, StartsWith("token_budget_mismatch: candidate"));
  EXPECT_THAT(verdict.columns[0].reason, HasSubstr("generated_tokens: 32 against 33"));
}

const ColumnVerdict& Column(const SuiteVerdict& verdict, const std::string& part,
                            const std::string& metric) {
  for (const ColumnVerdict& column : verdict.columns) {
    if (column.case_name.find(part) != std::string::npos && column.metric.name == metric) {
      return column;
    }
  }
  ADD_FAILURE() << part << " [" << metric << "] is not in the verdict";
  static const ColumnVerdict none;
  return none;
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
