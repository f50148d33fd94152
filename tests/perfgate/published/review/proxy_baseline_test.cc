// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/proxy_baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/perfgate/published/review/population.h"

namespace perfgate::published {
namespace {

using testing::Contains;
using testing::ElementsAre;

PublishedItem with_proxy() {
  PublishedItem item = MeasuredItem("a", 100, 120, 121);
  PublishedMeasurement& m = item.measurements[0];
  for (auto& arm : m.arms) arm->configuration = "--batch 8";
  m.arms[0]->proxy = "0123abcd";
  return item;
}

const PairAnswer& baseline_human(const ItemAnswer& answer) { return answer.pairs[0]; }

TEST(ProxyBaseline, IsAcceptedForTheSameModelAndConfiguration) {
  const ItemAnswer answer = answer_item(with_proxy());
  EXPECT_TRUE(baseline_human(answer).comparable);
  EXPECT_THAT(baseline_human(answer).reasons, ElementsAre("same_model"))
      << "it did not run together with the human's version, whatever shared_run says";
  EXPECT_THAT(baseline_human(answer).caveats, Contains("proxy_baseline"));
  EXPECT_EQ(baseline_human(answer).delta_pct, 20);
}

TEST(ProxyBaseline, IsRefusedOtherwise) {
  const auto refused = [](auto change) {
    PublishedItem item = with_proxy();
    change(item.measurements[0]);
    const ItemAnswer answer = answer_item(item);
    EXPECT_FALSE(baseline_human(answer).comparable);
    EXPECT_FALSE(baseline_human(answer).delta_pct);
    EXPECT_EQ(answer.item_class, ItemClass::kBaselineMismatch);
    EXPECT_EQ(answer.outcome, PointOutcome::kMatch) << "human and agent compare all the same";
    return baseline_human(answer).reasons;
  };
  EXPECT_THAT(refused([](auto& m) { m.arms[0]->model = "org/m-70B"; }),
              ElementsAre("proxy_other_model"));
  EXPECT_THAT(refused([](auto& m) { m.arms[0]->configuration = "--batch 16"; }),
              ElementsAre("proxy_other_configuration"));
  EXPECT_THAT(refused([](auto& m) { m.arms[0]->mode = "standalone"; }),
              ElementsAre("proxy_other_configuration"));
  EXPECT_THAT(refused([](auto& m) { m.arms[0]->model.reset(); }), ElementsAre("proxy_unstated"));
  EXPECT_THAT(refused([](auto& m) {
                for (auto& arm : m.arms) arm->configuration.reset();
              }),
              ElementsAre("proxy_unstated"));
}

}  // namespace
}  // namespace perfgate::published
