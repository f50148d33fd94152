// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/data_set_verdict.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/perfgate/published/review/population.h"
#include "tests/support/arguments.h"

namespace perfgate::published {
namespace {

DataSetVerdict verdict_of(const PublishedSet& set, const std::vector<SkippedItem>& skipped = {}) {
  const auto answers = AnswersOf(set);
  return JudgeDataSet(set, answers, PlanRetries(set, answers), skipped);
}

const ReasonCount& reason_in(const DataSetVerdict& verdict, std::string_view word) {
  const auto* const found = std::find(kReasonWords.begin(), kReasonWords.end(), word);
  return verdict.reasons.at(static_cast<std::size_t>(found - kReasonWords.begin()));
}

TEST(DataSetVerdict, GivesEveryItemOneReason) {
  PublishedSet set;
  set.items = {MeasuredItem("done", 100, 120, 121),    FailedItem("crash", "server_crash"),
               FailedItem("never", "no_perf_command"), FailedItem("silent", "x"),
               MeasuredItem("apart", 100, 120, 121),   PublishedItem{}};
  set.items[3].errors.clear();
  set.items[4].measurements[0].shared_run = false;
  set.items[4].measurements[0].arms[1]->model = "org/other";
  set.items[5].id = "untouched";
  set.items[5].status = {ArmStatus::kNoRecord, ArmStatus::kNoRecord, ArmStatus::kNoRecord};
  const DataSetVerdict verdict = verdict_of(set, {{"left", "slow"}});
  EXPECT_EQ(verdict.n, 7U);
  EXPECT_EQ(verdict.verified, 1U);
  EXPECT_EQ(verdict.can_yet, 4U);
  EXPECT_EQ(verdict.cannot, 2U);
  EXPECT_EQ(reason_in(verdict, "crash").can_yet, 1U);
  EXPECT_EQ(reason_in(verdict, "bad_configuration").cannot, 1U);
  EXPECT_EQ(reason_in(verdict, "failed_unexplained").can_yet, 1U);
  EXPECT_EQ(reason_in(verdict, "does_not_compare").can_yet, 1U);
  EXPECT_EQ(reason_in(verdict, "not_run_to_the_end").can_yet, 1U);
  EXPECT_EQ(reason_in(verdict, "skipped").cannot, 1U);
}

TEST(DataSetVerdict, HasTheExactInterval) {
  const PublishedSet set = read_published(test_support::DataFile("parity/commits.json"));
  const DataSetVerdict verdict = verdict_of(set);
  EXPECT_EQ(verdict.verified, 33U);
  EXPECT_EQ(verdict.verified + verdict.can_yet + verdict.cannot, 60U);
  EXPECT_NEAR(verdict.verified_share.lo, 0.4161, 1e-4);  // 33 of 60, from tables
  EXPECT_NEAR(verdict.verified_share.hi, 0.6788, 1e-4);
}

TEST(DataSetVerdict, OfNothing) {
  EXPECT_EQ(verdict_of({}).n, 0U);
  EXPECT_EQ(verdict_of({}).verified_share.hi, 1);
}

}  // namespace
}  // namespace perfgate::published
