// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perfgate/base/text/enum_words.h"

namespace perfgate::study {
namespace {

using ::testing::HasSubstr;

ArmRecord ArmWith(ArmState status, const std::string& kind = {}) {
  ArmRecord arm;
  arm.status = status;
  if (!kind.empty()) arm.lines.push_back({1, kind, "text"});
  return arm;
}

TaskRecord Judged(ParityStatus outcome, ArmRecord agent, bool vacuous = false) {
  TaskRecord task{.id = "t"};
  task.arms = {ArmWith(ArmState::kMeasured), ArmWith(ArmState::kMeasured), std::move(agent)};
  task.agents = {{.label = "a", .outcome = outcome, .vacuous = vacuous}};
  return task;
}

StudyCounts Counted() {
  StudyCounts counts;
  counts.Add(Judged(ParityStatus::kWin, ArmWith(ArmState::kMeasured)));
  counts.Add(Judged(ParityStatus::kMatch, ArmWith(ArmState::kMeasured)));
  counts.Add(Judged(ParityStatus::kMatch, ArmWith(ArmState::kMeasured), true));
  counts.Add(Judged(ParityStatus::kFailed, ArmWith(ArmState::kBuildFailed, "undefined_reference")));
  counts.Add(Judged(ParityStatus::kFailed, ArmWith(ArmState::kTestsFailed, "last")));
  counts.Add(Judged(ParityStatus::kInvalid, ArmWith(ArmState::kIdentical)));
  return counts;
}

TEST(StudyCounts, SayWhatTheyAreOf) {
  const StudyCounts counts = Counted();
  EXPECT_EQ(counts.OutcomesLine(), "2 failed, 1 invalid, 1 match, 1 match (vacuous), 1 win");
  const std::string text = counts.Markdown();
  EXPECT_THAT(text, HasSubstr("= 6, in 6 tasks."));
  EXPECT_THAT(text, HasSubstr("Of the 5 agents that win, match, lose or fail, 1/5 (20.0 %) win, "
                              "2/5 (40.0 %) match, 0/5 (0.0 %) lose and 2/5 (40.0 %) fail."));
  EXPECT_THAT(text, HasSubstr("too: 1/2 (50.0 %)."));
  EXPECT_THAT(text, HasSubstr("| all | 1 | 2 | 0 | 2 | 1 | 6 | 0 | 6 |"));
  EXPECT_THAT(text, HasSubstr("| effective | 1 | 1 | 0 | 0 | 0 | 2 | 4 | 6 |"));
  EXPECT_THAT(text, HasSubstr("| build_failed: undefined_reference | 0 | 0 | 1 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| tests_failed: the log names no known cause | 0 | 0 | 1 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| measured | 6 | 6 | 3 | 15 |"));
}

TEST(StudyCounts, AreJson) {
  const nlohmann::json counts = nlohmann::json::parse(Counted().Json());
  EXPECT_EQ(counts["agents"], 6);
  EXPECT_EQ(counts["outcomes"]["match"], 2);
  EXPECT_EQ(counts["arms"]["measured"]["human"], 6);
  EXPECT_EQ(counts["vacuous"], 1);
}

TEST(StudyCounts, NoAgentIsNoDivision) { EXPECT_THAT(StudyCounts().Markdown(), HasSubstr("0/0")); }

}  // namespace
}  // namespace perfgate::study
