// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/retry_plan.h"

#include <gtest/gtest.h>

#include "tests/perfgate/published/review/population.h"
#include "tests/support/arguments.h"

namespace perfgate::published {
namespace {

RetryPlan plan_of(const std::vector<PublishedItem>& items) {
  PublishedSet set;
  set.items = items;
  return PlanRetries(set, AnswersOf(set), {100, 200});
}

TEST(RetryPlan, TakesSecondsFromTheBestSource) {
  PublishedItem crashed = FailedItem("crash", "server_crash");
  EXPECT_EQ(plan_of({crashed}).items[0].basis, CostBasis::kAssumed);
  EXPECT_EQ(plan_of({crashed}).items[0].seconds.lo, 2 * 100) << "human and agent";
  EXPECT_EQ(plan_of({crashed}).items[0].seconds.hi, 3 * 200) << "all three arms";

  PublishedItem measured = MeasuredItem("good", 100, 120, 121);
  measured.measurements[0].duration_s = 90;  // of three arms
  measured.measurements[0].arms[2]->duration_s = 40;
  const RetryPlan recorded = plan_of({crashed, measured});
  EXPECT_EQ(recorded.items[0].basis, CostBasis::kRecordedFile);
  EXPECT_EQ(recorded.items[0].seconds.lo, 2 * 30);
  EXPECT_EQ(recorded.items[0].seconds.hi, 3 * 40);
  EXPECT_EQ(recorded.items[1].basis, CostBasis::kNoRun);

  crashed.errors[0].duration_s = 7;
  EXPECT_EQ(plan_of({crashed, measured}).items[0].basis, CostBasis::kRecordedItem);
  EXPECT_EQ(plan_of({crashed, measured}).items[0].seconds.hi, 3 * 7);

  PublishedItem slow = FailedItem("slow", "timeout_600s");
  slow.errors[0].duration_s = 600;
  EXPECT_EQ(plan_of({slow}).items[0].basis, CostBasis::kTimeoutLimit);
  EXPECT_EQ(plan_of({slow}).items[0].seconds.lo, 2 * 600);
  EXPECT_EQ(plan_of({slow}).items[0].seconds.hi, 3 * 1200) << "the limit is doubled";
}

TEST(RetryPlan, CountsWhatARetryCouldAdd) {
  PublishedItem failed = MeasuredItem("failed", 100, 120, 1);
  failed.measurements[0].arms[2].reset();
  failed.status[2] = ArmStatus::kFailed;
  failed.errors.push_back({"agent", "server_crash", "results"});
  const RetryPlan plan =
      plan_of({MeasuredItem("done", 100, 120, 121), failed, FailedItem("crash", "server_crash"),
               FailedItem("never", "no_perf_command")});
  EXPECT_EQ(plan.evaluable_now, 2U);
  EXPECT_EQ(plan.compared_now, 1U);
  EXPECT_EQ(plan.total.adds_evaluable, 1U) << "a failed agent has a label already";
  EXPECT_EQ(plan.total.adds_compared, 2U);
  EXPECT_EQ(plan.never_evaluable, 1U);
  EXPECT_EQ(plan.never_compared, 1U);
  const RetryLine& retry = plan.lines[static_cast<std::size_t>(Disposition::kRetry)];
  EXPECT_EQ(retry.items, 2U);
  EXPECT_EQ(retry.seconds.lo, 100 + 2 * 100) << "the human is there";
}

TEST(RetryPlan, AddsUpForRealData) {
  const PublishedSet set = read_published(test_support::DataFile("parity/commits.json"));
  const RetryPlan plan = PlanRetries(set, AnswersOf(set));
  EXPECT_EQ(plan.evaluable_now, 33U);
  EXPECT_EQ(plan.total.adds_evaluable, 23U);
  EXPECT_EQ(plan.never_evaluable, 4U);
  EXPECT_FALSE(plan.recorded_s);
}

}  // namespace
}  // namespace perfgate::published
