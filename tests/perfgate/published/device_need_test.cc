// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/device_need.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfgate::published {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Stated {
  std::string by;
  std::optional<std::string> gpu = {};
  std::optional<int> count = {};
  std::optional<int> count_min = {};
  std::optional<double> vram_gb = {};
  std::optional<std::string> cause = {};
};

DeviceNeed need_from(const std::vector<Stated>& lists) {
  PublishedItem item;
  for (const Stated& list : lists) {
    PublishedNeed need;
    need.by = list.by;
    need.gpu = list.gpu;
    need.count = list.count;
    need.count_min = list.count_min;
    need.vram_gb = list.vram_gb;
    need.cause = list.cause;
    item.needs.push_back(need);
  }
  return need_of(item);
}

TEST(DeviceNeed, TakesTheLargestStatement) {
  const DeviceNeed need = need_from({{.by = "capacity", .gpu = "H100", .count = 4},
                                     {.by = "results", .count_min = 2, .vram_gb = 140}});
  EXPECT_EQ(need.devices, 4);
  EXPECT_FALSE(need.at_least);
  EXPECT_EQ(need.device_class, 4);
  EXPECT_EQ(need.vram_gb, 140);
  EXPECT_EQ(need.vendor, "nvidia");
  EXPECT_THAT(need.conflicts, IsEmpty());
}

TEST(DeviceNeed, RoundsUpToOneTwoFourEight) {
  for (const auto& [count, size] : std::vector<std::pair<int, std::optional<int>>>{
           {0, 1}, {1, 1}, {2, 2}, {3, 4}, {5, 8}, {8, 8}, {9, {}}}) {
    EXPECT_EQ(need_from({{.by = "a", .count = count}}).device_class, size) << count;
  }
  EXPECT_FALSE(need_from({}).device_class);
}

TEST(DeviceNeed, NamesEveryConflict) {
  EXPECT_THAT(need_from({{.by = "a", .count = 1}, {.by = "b", .count_min = 2}}).conflicts,
              ElementsAre("a: 1 device, b: at least 2 devices"));
  EXPECT_THAT(need_from({{.by = "a", .count = 1}, {.by = "b", .count = 2}}).conflicts,
              ElementsAre("a: 1 device, b: 2 devices"));
  EXPECT_THAT(need_from({{.by = "a", .vram_gb = 80}, {.by = "b", .vram_gb = 100}}).conflicts,
              ElementsAre("a: 80 GB, b: 100 GB"));
  const DeviceNeed vendors = need_from({{.by = "a", .gpu = "H100"}, {.by = "b", .gpu = "MI300"}});
  EXPECT_THAT(vendors.conflicts, ElementsAre("a: nvidia, b: amd"));
  EXPECT_FALSE(vendors.vendor);
  EXPECT_TRUE(vendors.vendors_disagree);
  const DeviceNeed rocm = need_from({{.by = "a", .gpu = "H100", .count = 2, .cause = "rocm_only"}});
  EXPECT_EQ(rocm.vendor, "amd");
  ASSERT_EQ(rocm.conflicts.size(), 1U);
  EXPECT_THAT(rocm.conflicts[0], HasSubstr("rocm_only"));
  EXPECT_THAT(need_from({{.by = "a", .count = 2}, {.by = "b", .count_min = 2}}).conflicts,
              IsEmpty());
}

TEST(Preflight, NamesTheFirstObstacle) {
  const Devices one{.count = 1, .vram_gib = 80, .vendor = "nvidia"};
  const auto ready = [&](const std::vector<Stated>& lists, const Devices& devices) {
    return preflight(need_from(lists), devices);
  };
  EXPECT_EQ(ready({}, one), Readiness::kNotStated);
  EXPECT_EQ(ready({{.by = "a", .count = 1}}, one), Readiness::kReady);
  EXPECT_EQ(ready({{.by = "a", .count = 1, .cause = "fp8_unstable_in_baseline"}}, one),
            Readiness::kNoMachine);
  EXPECT_EQ(ready({{.by = "a", .gpu = "MI300", .count = 1}}, one), Readiness::kOtherVendor);
  EXPECT_EQ(ready({{.by = "a", .count_min = 2}}, one), Readiness::kTooFewDevices);
  EXPECT_EQ(ready({{.by = "a", .count = 1, .vram_gb = 86}}, one), Readiness::kTooLittleMemory);
  EXPECT_EQ(ready({{.by = "a", .gpu = "H100", .count = 1}, {.by = "b", .gpu = "MI300"}}, one),
            Readiness::kVendorUnclear);
  EXPECT_EQ(ready({{.by = "a", .count = 8, .cause = "model_too_large"}}, {.count = 8}),
            Readiness::kTooLittleMemory);
}

TEST(Preflight, ComparesDecimalWithBinaryUnits) {
  const auto at = [](double gb, double gib) {
    return preflight(need_from({{.by = "a", .count = 1, .vram_gb = gb}}),
                     {.count = 1, .vram_gib = gib});
  };
  EXPECT_EQ(at(85.89, 80), Readiness::kReady);  // 80 GiB are 85.899 GB
  EXPECT_EQ(at(85.90, 80), Readiness::kTooLittleMemory);
}

TEST(Preflight, MoreDevicesNeverHurt) {
  for (int need = 0; need <= 9; ++need) {
    bool fits = false;
    for (int count = 0; count <= 10; ++count) {
      const bool now = preflight(need_from({{.by = "a", .count = need, .vram_gb = 40.0 * need}}),
                                 {.count = count, .vram_gib = 80}) == Readiness::kReady;
      EXPECT_TRUE(now || !fits) << need << " of " << count;
      fits = now;
    }
    EXPECT_TRUE(fits);
  }
}

TEST(Preflight, KnowsVendorsByTheNamesOfTheirDevices) {
  EXPECT_EQ(vendor_of("H100"), "nvidia");
  EXPECT_EQ(vendor_of("h200 SXM"), "nvidia");
  EXPECT_EQ(vendor_of("MI300X"), "amd");
  EXPECT_EQ(vendor_of("Gaudi2"), "intel");
  EXPECT_FALSE(vendor_of("TPUv5"));
}

}  // namespace
}  // namespace perfgate::published
