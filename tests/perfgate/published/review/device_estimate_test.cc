// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/device_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/published/device_need.h"

namespace perfgate::published {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PublishedItem item_of(const char* model) {
  PublishedItem item;
  item.model = model;
  return item;
}

PublishedNeed need_stated(const std::string& by) {
  PublishedNeed need;
  need.by = by;
  return need;
}

TEST(DeviceEstimate, ComesFromTheNameAndElseFromAList) {
  EXPECT_EQ(EstimateDevices(item_of("a/Llama-70B"))->devices_lo, 2);
  EXPECT_EQ(EstimateDevices(item_of("a/Llama-70B"))->devices_hi, 4);
  PublishedItem item = item_of("deepseek-ai/DeepSeek-V3-FP8");
  EXPECT_FALSE(EstimateDevices(item));
  item.needs.push_back(need_stated("failures"));
  item.needs[0].size = "671B-MoE";
  const auto estimate = EstimateDevices(item);
  ASSERT_TRUE(estimate);
  EXPECT_EQ(estimate->from, "failures: 671B-MoE");
  EXPECT_EQ(estimate->size.bytes_per_weight.lo, 1) << "the type stands in the model's name";
}

TEST(DeviceEstimate, NamesDisagreements) {
  PublishedItem item = item_of("a/Llama-70B");
  item.needs.push_back(need_stated("capacity"));
  item.needs[0].count = 1;
  EXPECT_THAT(EstimateDevices(item)->disagreements,
              ElementsAre("capacity: 1 device, estimate: at least 2 of 80 GB"));
  item.needs[0].count = 8;
  EXPECT_THAT(EstimateDevices(item)->disagreements,
              ElementsAre("capacity: 8 devices, estimate: at most 4 of 80 GB"));
  item.needs[0].count = {};
  item.needs[0].vram_gb = 100;
  EXPECT_THAT(EstimateDevices(item)->disagreements,
              ElementsAre("capacity: 100 GB, estimate: 148.0 to 214.0 GB"));
  item.needs[0].vram_gb = {};
  item.needs[0].size = "8B";
  EXPECT_THAT(EstimateDevices(item)->disagreements,
              ElementsAre("capacity: size 8B, estimate: a/Llama-70B"));
  item.needs[0].size = {};
  item.needs[0].count_min = 2;
  EXPECT_THAT(EstimateDevices(item)->disagreements, IsEmpty());
}

TEST(DeviceEstimate, DecidesReadinessWhereNoListDoes) {
  const auto ready = [](const char* model, double vram_gib) {
    const Devices machine{.count = 1, .vram_gib = vram_gib, .vendor = "nvidia"};
    return preflight(need_of(item_of(model), DeviceGb(machine)), machine);
  };
  EXPECT_EQ(ready("a/8B", 80), Readiness::kReady);
  EXPECT_EQ(ready("a/70B", 80), Readiness::kTooLittleMemory);
  EXPECT_EQ(ready("a/8B", 20), Readiness::kNotStated) << "17.8 to 28 GB: it may fit or not";
  EXPECT_EQ(ready("a/unknown", 80), Readiness::kNotStated);
  EXPECT_EQ(preflight(need_of(item_of("a/8B")), {.count = 1}), Readiness::kNotStated)
      << "the memory of the machine is not known";
}

}  // namespace
}  // namespace perfgate::published
