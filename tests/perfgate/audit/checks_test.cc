// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a table beyond its arithmetic: each check with a table that breaks it and
// one that does not.
#include <gtest/gtest.h>

#include <optional>

#include "perfgate/audit/audit.h"
#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/read/model_names.h"

namespace perfgate::audit {
namespace {

std::vector<Finding> findings_of(const std::string& text) {
  AuditInput input;
  read_audit_text("t.md", text, input);
  return audit(input).findings;
}

// The only finding's kind.
std::optional<Kind> kind_of(const std::string& text) {
  const std::vector<Finding> findings = findings_of(text);
  EXPECT_LE(findings.size(), 1U) << text << findings.back().explanation;
  return findings.empty() ? std::nullopt : std::optional<Kind>(findings.front().kind);
}

TEST(Structure, HeadersAndRowsIdentify) {
  EXPECT_EQ(kind_of("| k | a | a |\n|---|---|---|\n| x | 1.5 | 9.5 |\n"), Kind::kMetadata);
  const std::string head =
      "| k | a |\n|---|---|\n| x | 1.5 |\n| y | 7.5 |\n| z | 3.25 |\n| w | 9.0 |\n";
  EXPECT_EQ(kind_of(head), std::nullopt);
  EXPECT_EQ(kind_of(head + "| x | 1.75 |\n"), Kind::kDataConflict);
  EXPECT_EQ(kind_of(head + "| x | 1.5 |\n"), std::nullopt);
  // A log of runs, and rows that continue the one above.
  EXPECT_EQ(kind_of("| k | a |\n|---|---|\n| x | 1.5 |\n| x | 7.5 |\n| x | 3.25 |\n"),
            std::nullopt);
  EXPECT_EQ(kind_of(head + "| - | 1.75 |\n| - | 8.75 |\n"), std::nullopt);
}

TEST(Structure, TitlesCountTheirRows) {
  const std::string rows = "\n| Profile | a |\n|---|---|\n| x | 1.5 |\n| y | 7.5 |\n";
  EXPECT_EQ(kind_of("# Two profiles\n" + rows), std::nullopt);
  EXPECT_EQ(kind_of("# Three profiles\n" + rows), Kind::kListVsHeading);
  EXPECT_EQ(kind_of("# Three machines\n" + rows), std::nullopt);
}

TEST(Structure, CountsAddUpToTheRuns) {
  const auto table = [](const char* runs, const char* last) {
    return std::string("# t\n\nruns: ") + runs +
           "\n\n| k | w/l/t |\n|---|---|\n| x | 3/0/0 |\n| y | 1/1/1 |\n| z | " + last + " |\n";
  };
  EXPECT_EQ(kind_of(table("3", "2/1/0")), std::nullopt);
  EXPECT_EQ(kind_of(table("3", "2/0/0")), Kind::kCount);
  EXPECT_EQ(
      kind_of("| k | w |\n|---|---|\n| x | 3/0/0 |\n| y | 1/1/1 |\n| z | 0/3/0 |\n| v | 2/0/0 |\n"),
      Kind::kCount);
}

TEST(Structure, CountsOfSomethingElseAreNotRuns) {
  EXPECT_EQ(
      kind_of("# t\n\nruns: 3\n\n| k | w/l/t |\n|---|---|\n| x | 31/8/1 |\n| y | 20/19/1 |\n"),
      std::nullopt);
}

TEST(Structure, InfiniteRatiosCompareNothing) {
  EXPECT_EQ(kind_of("| k | a | b | ratio |\n|---|---|---|---|\n| x | 0.0 | 1.5 | inf |\n"),
            Kind::kDirection);
  EXPECT_EQ(kind_of("| k | request rate |\n|---|---|\n| x | inf |\n| y | 4 |\n"), std::nullopt);
}

TEST(Structure, PercentilesAreInOrder) {
  const std::string head = "| k | p50 | p99 | p99.9 |\n|---|---|---|---|\n";
  EXPECT_EQ(kind_of(head + "| x | 1.5 ms | 7.5 ms | 9.5 ms |\n"), std::nullopt);
  EXPECT_EQ(kind_of("| k | p50 | p100 |\n|---|---|---|\n| x | 1.5 ms | 7.5 ms |\n"), std::nullopt);
  EXPECT_EQ(kind_of("| k | p50 | p99 |\n|---|---|---|\n| x | 8.5 ms | 7.5 ms |\n"),
            Kind::kPlausibility);
  EXPECT_EQ(kind_of("| k | a |\n|---|---|\n| load p50 | 8.5 ms |\n| load p99 | 7.5 ms |\n"),
            Kind::kPlausibility);
  EXPECT_EQ(kind_of("| k | a |\n|---|---|\n| load p50 | 8.5 ms |\n| other p99 | 7.5 ms |\n"),
            std::nullopt);
}

TEST(Structure, SharesAddUp) {
  const std::string head = "| k | share |\n|---|---|\n| x | 50.0 % |\n| y | 30.0 % |\n";
  EXPECT_EQ(kind_of(head + "| z | 20.1 % |\n"), std::nullopt);
  EXPECT_EQ(kind_of(head + "| z | 22.0 % |\n"), Kind::kTotal);
}

TEST(Intervals, HoldTheirEstimateAndNoMoreThanTheWords) {
  const auto row = [](const char* cells) {
    return std::string("| k | delta | delta CI95 | verdict |\n|---|---|---|---|\n| x | ") + cells +
           " |\n";
  };
  EXPECT_EQ(kind_of(row("+2.0 ms | [1.0, 3.0] | slower")), std::nullopt);
  EXPECT_EQ(kind_of(row("+2.0 ms | [-1.0, 5.0] | slower")), Kind::kCi);
  EXPECT_EQ(kind_of(row("+2.0 ms | [-1.0, 5.0] | not significant")), std::nullopt);
  EXPECT_EQ(kind_of(row("+2.0 ms | [3.0, 5.0] | slower")), Kind::kCi);
  EXPECT_EQ(kind_of(row("+2.0 ms | [3.0, 1.0] | slower")), Kind::kCi);
  EXPECT_EQ(kind_of("| k | time | verdict |\n|---|---|---|\n| x | 12.0 [12.5, 13.0] ms | same |\n"),
            Kind::kCi);
  EXPECT_EQ(kind_of("| k | ratio CI95 | verdict |\n|---|---|---|\n| x | [0.95, 1.02] | win |\n"),
            Kind::kCi);
  EXPECT_EQ(kind_of("| k | speedup | CI95 | verdict |\n|---|---|---|---|\n"
                    "| x | 1.01x | [0.95, 1.07] | win |\n"),
            Kind::kCi);
  EXPECT_EQ(kind_of("| k | metric | delta | delta CI95 |\n|---|---|---|---|\n"
                    "| x | win rate | +2.0 | [-1.0, 5.0] |\n"),
            std::nullopt);
  EXPECT_EQ(kind_of("| k | ratio CI95 | verdict |\n|---|---|---|\n| x | [0.90, 0.97] | win |\n"),
            std::nullopt);
}

TEST(Intervals, ThreeRunsGiveNoNarrowOnes) {
  const auto table = [](const char* n, const char* interval) {
    return std::string("# t\n\nruns: ") + n +
           "\n\n| k | delta | delta CI95 |\n|---|---|---|\n| x | +2.197 ms | " + interval + " |\n";
  };
  EXPECT_EQ(kind_of(table("3", "[2.125, 2.238]")), Kind::kCi);
  EXPECT_EQ(kind_of(table("3", "[2.042, 2.352]")), std::nullopt);
  EXPECT_EQ(kind_of(table("30", "[2.125, 2.238]")), std::nullopt);
  // Values 1, 2, 4 by hand: mean 7/3, s 1.5275, half width 4.30265 s / sqrt 3 = 3.7946.
  const OfThree three = t_interval_of_three(7.0 / 3, 1, 4);
  EXPECT_NEAR(three.third, 2, 1e-12);
  EXPECT_NEAR(three.low, 7.0 / 3 - 3.7946, 1e-4);
  EXPECT_NEAR(three.high, 7.0 / 3 + 3.7946, 1e-4);
}

TEST(Outcomes, FollowTheirDeltas) {
  const std::string head =
      "| k | delta % | outcome |\n|---|---|---|\n| a | 12.0 % | win |\n| b | 6.5 % | win |\n"
      "| c | 1.0 % | match |\n| d | -2.5 % | match |\n| e | -9.0 % | loss |\n";
  EXPECT_EQ(kind_of(head), std::nullopt);
  EXPECT_EQ(kind_of(head + "| f | -11.5 % | win |\n"), Kind::kClassification);
  EXPECT_EQ(kind_of(head + "| f | 9.5 % | match |\n"), Kind::kClassification);
}

TEST(Outcomes, WinnersAreTheBetterOnes) {
  const auto table = [](const char* winner) {
    return std::string(R"({"format": "perfgate-table/1", "id": "t", "columns": [{"key": "k"},
      {"key": "left", "better": "lower"}, {"key": "right", "better": "lower"}, {"key": "winner"}],
      "rows": [{"k": "x", "left": "2.0 ms", "right": "3.0 ms", "winner": ")") +
           winner + "\"}]}";
  };
  const auto count = [](const std::string& text) {
    AuditInput input;
    read_audit_text("t.json", text, input);
    return audit(input).findings.size();
  };
  EXPECT_EQ(count(table("left")), 0U);
  EXPECT_EQ(count(table("right")), 1U);
}

TEST(Document, ListsAndSharesInText) {
  const std::string table = "\n| a | b |\n|---|---|\n| x | 1 |\n";
  EXPECT_EQ(kind_of("## Failed (2)\n\n- a\n- b\n" + table), std::nullopt);
  EXPECT_EQ(kind_of("## Failed (3)\n\n- a\n- b\n" + table), Kind::kListVsHeading);
  EXPECT_EQ(kind_of("## Failed (2)\n\n- a\n- b\n\n## Passed (1)\n\n- c: fast\n" + table),
            std::nullopt);
  EXPECT_EQ(kind_of("## Failed (2)\n\n- a\n- b\n\n## Passed (1)\n\n- b: fast\n" + table),
            Kind::kClassification);
  EXPECT_EQ(kind_of("We won 12 of 20 (60%).\n" + table), std::nullopt);
  EXPECT_EQ(kind_of("We won 12/20 (66 %).\n" + table), Kind::kArithmetic);
  EXPECT_EQ(kind_of("On 3/4 (2026) all was well.\n" + table), std::nullopt);
}

TEST(Claims, AreRecomputed) {
  const auto with = [](const std::string& claim) {
    return "| Task | Old | New |\n|---|---|---|\n| x | 10.0 ms | 12.0 ms |\n| y | 20.0 ms | 19.0 "
           "ms |\n"
           "| z | 31.0 ms | 35.5 ms |\n\n- c1: " +
           claim + "\n";
  };
  EXPECT_EQ(kind_of(with("metric=first, op=ratio, args=[\"12.0\", \"10.0\"], value=1.20")),
            std::nullopt);
  EXPECT_EQ(kind_of(with("metric=first, op=ratio, args=[\"12.0\", \"10.0\"], value=1.02")),
            Kind::kArithmetic);
  EXPECT_EQ(kind_of(with("metric=old, op=mean_column, column=old, value=20.33")), std::nullopt);
  EXPECT_EQ(kind_of(with("metric=old, op=mean_column, column=old, value=23.33")),
            Kind::kArithmetic);
  EXPECT_EQ(kind_of(with("metric=tasks, value=3")), std::nullopt);
  EXPECT_EQ(kind_of(with("metric=tasks, value=4")), Kind::kListVsHeading);
  EXPECT_EQ(kind_of(with("metric=tasks where old is faster, value=2, of=3")), std::nullopt);
  EXPECT_EQ(kind_of(with("metric=tasks where old is faster, value=3, of=3")), Kind::kCount);
  EXPECT_EQ(kind_of(with("metric=tasks where new is faster, value=1, of=3")), std::nullopt);
  EXPECT_EQ(kind_of(with("metric=stability, value=stable")), Kind::kClaimSupport);
  EXPECT_EQ(kind_of(with("metric=old, before=9.5, after=10.0")), std::nullopt);
  EXPECT_EQ(kind_of(with("metric=old, before=9.5, after=10.5")), Kind::kDataConflict);
}

TEST(Claims, OperandsAreTheTablesOwn) {
  const std::string head = "| k | a |\n|---|---|\n| x | 2.5 ms |\n| y | 5.0 ms |\n\n";
  EXPECT_EQ(kind_of(head + "- c1: metric=y/x, op=ratio, args=[\"5.0\", \"2.5\"], value=2.0\n"),
            std::nullopt);
  EXPECT_EQ(kind_of(head + "- c1: metric=y/x, op=ratio, args=[\"5.2\", \"2.5\"], value=2.1\n"),
            Kind::kDataConflict);
}

TEST(Claims, AWinnerByOneMetricMayLoseByAnother) {
  const auto findings = [](const char* winner) {
    const std::string text =
        std::string(R"({"format": "perfgate-table/1", "id": "t", "columns": [{"key": "system"},
          {"key": "score", "better": "higher"}, {"key": "time", "better": "lower"}],
          "rows": [{"system": "a", "score": "0.5", "time": "3.0 ms"},
                   {"system": "b", "score": "0.4", "time": "2.0 ms"},
                   {"system": "c", "score": "0.3", "time": "9.0 ms"}],
          "claims": [{"metric": "winner", "value": ")") +
        winner + "\"}]}";
    AuditInput input;
    read_audit_text("t.json", text, input);
    return audit(input).findings;
  };
  ASSERT_EQ(findings("a").size(), 1U);
  EXPECT_EQ(findings("a")[0].kind, Kind::kClaimSupport);
  EXPECT_EQ(findings("a")[0].recomputed, "worse by time");
  ASSERT_EQ(findings("c").size(), 1U);
  EXPECT_EQ(findings("c")[0].kind, Kind::kDirection);
  EXPECT_TRUE(findings("d").empty());
}

TEST(ModelNames, CutAndWholeNames) {
  EXPECT_EQ(model_conflict({"deepseek-ai/Dee", true}, {"deepseek-ai/DeepSeek-V2", false}), "");
  EXPECT_EQ(model_conflict({"ibm-ai-platform", true}, {"ibm-ai-platform/Bamba-9B", false}), "");
  EXPECT_EQ(model_conflict({"Mixtral-8x7B-Instruct", false},
                           {"mistralai/Mixtral-8x7B-Instruct-v0.1", false}),
            "");
  EXPECT_EQ(model_conflict({"meta-llama/Llama-3-8B", false},
                           {"meta-llama/Meta-Llama-3-8B-Instruct", false}),
            "");
  EXPECT_NE(model_conflict({"meta-llama/Meta", true}, {"meta-llama/Llama-3.2-3B", false}), "");
  EXPECT_EQ(model_conflict({"Qwen/Qwen2.5-7B", true}, {"Mixtral-8x7B-FP8", false}), kOtherFamily);
  EXPECT_NE(model_conflict({"Llama-3-8B", false}, {"Llama-3-70B", false}), "");
}

// "Two methods" may be the rows, the different names in them, or those besides the baseline.
TEST(Structure, TitlesCountWhatTheirColumnsName) {
  const auto of = [](const std::string& title) {
    return findings_of("# " + title +
                       "\n\n| Method | Data | tok/s |\n|---|---|---|\n| base | chat | 80.1 |\n"
                       "| draft | chat | 160.3 |\n| tree | chat | 190.2 |\n| base | code | 81.9 |\n"
                       "| draft | code | 200.4 |\n| tree | code | 222.5 |\n")
        .size();
  };
  EXPECT_EQ(of("Two methods on two data sets"), 0U);
  EXPECT_EQ(of("Three methods"), 0U);
  EXPECT_EQ(of("Six methods"), 0U);
  EXPECT_EQ(of("Four methods"), 1U);
  EXPECT_EQ(of("Two methods on three data sets"), 1U);
}

}  // namespace
}  // namespace perfgate::audit
