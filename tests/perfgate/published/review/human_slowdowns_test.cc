// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/human_slowdowns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/perfgate/published/review/population.h"

namespace perfgate::published {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<HumanSlowdown> slowdowns_of(const PublishedItem& item) {
  PublishedSet set;
  set.items = {item};
  return HumanSlowdowns(set, AnswersOf(set));
}

std::vector<std::string> causes_in(const PublishedItem& item) {
  const auto slowdowns = slowdowns_of(item);
  return slowdowns.empty() ? std::vector<std::string>() : slowdowns[0].causes;
}

TEST(HumanSlowdowns, AreThoseBeyondTheThreshold) {
  EXPECT_THAT(slowdowns_of(MeasuredItem("a", 100, 95, 100)), IsEmpty());
  const auto slow = slowdowns_of(MeasuredItem("a", 100, 90, 100));
  ASSERT_EQ(slow.size(), 1U);
  EXPECT_EQ(slow[0].delta_pct, -10);
  EXPECT_THAT(slow[0].causes, ElementsAre(StartsWith("none_in_the_facts")));
  PublishedItem other = MeasuredItem("a", 100, 90, 100);
  other.measurements[0].shared_run = false;
  other.measurements[0].arms[0]->model = "org/other";
  EXPECT_THAT(slowdowns_of(other), IsEmpty()) << "what does not compare is no slowdown";
}

TEST(HumanSlowdowns, NameCausesFromTheFacts) {
  PublishedItem item = MeasuredItem("a", 100, 90, 100);
  item.measurements[0].arms[0]->model = "org/other";
  EXPECT_THAT(causes_in(item), ElementsAre("model_mismatch: org/other and org/m-8B"));

  item = MeasuredItem("a", 100, 90, 100);
  item.measurements[0].arms[0]->mode = "standalone";
  EXPECT_THAT(causes_in(item), ElementsAre("mode_mismatch: standalone and serving"));

  item = MeasuredItem("a", 100, 90, 100);
  item.measurements[0].target = "ttft_mean";
  EXPECT_THAT(causes_in(item), ElementsAre(StartsWith("target_metric: the change aims at")));
  item.measurements.push_back(ThroughputOf(50, 40, 41));
  item.measurements[1].metric = "ttft_mean";
  item.measurements[1].better = Direction::kLower;
  EXPECT_THAT(causes_in(item),
              ElementsAre("metric_conflict: the target metric ttft_mean says +20.00 %"));

  item = MeasuredItem("a", 5, 4.7, 5);
  EXPECT_THAT(causes_in(item), ElementsAre(StartsWith("rounding: the printed digits allow")));

  item = MeasuredItem("a", 100, 90, 100);
  item.measurements.push_back(ThroughputOf(100, 110, 110));
  item.measurements[1].replaced = true;
  EXPECT_THAT(causes_in(item), ElementsAre("rerun_replaced: an older entry of runs does not count, "
                                           "which says +10.00 %"));

  item = MeasuredItem("a", 100, 90, 100);
  item.secondary.push_back({"failures", "throughput", 1, {100, 99, 100}});
  EXPECT_THAT(causes_in(item),
              ElementsAre("secondary_source: list failures, human: value_differs"));

  item = MeasuredItem("a", 100, 90, 100);
  item.measurements[0].arms[0]->mode.reset();
  EXPECT_THAT(causes_in(item), ElementsAre(StartsWith("mode_unstated")));
}

}  // namespace
}  // namespace perfgate::published
