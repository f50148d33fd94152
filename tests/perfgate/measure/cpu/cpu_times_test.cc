// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/cpu/cpu_times.h"

#include <gtest/gtest.h>

namespace perfgate::measure {
namespace {

TEST(CpuTimes, ParsesTheKernelsTable) {
  const auto times = parse_cpu_times(
      "cpu  999 9 9 9 9 9 9 9 9 9\n"
      "cpu0 100 10 20 1000 30 4 6 50 7 8\n"
      "cpu12 1 0 0 2\n"
      "intr 5\ncpufreq 3\n",
      100);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_DOUBLE_EQ(times.at(0).busy, 1.40);
  EXPECT_DOUBLE_EQ(times.at(0).idle, 10.30);
  EXPECT_DOUBLE_EQ(times.at(0).steal, 0.50);
  EXPECT_DOUBLE_EQ(times.at(12).busy, 0.01);
  EXPECT_DOUBLE_EQ(times.at(12).steal, 0);
}

TEST(CpuTimes, ElapsedSumsTheAskedCoresAndNeverRunsBackwards) {
  const std::map<int, CpuTimes> before = {{0, {1, 2, 3}}, {1, {1, 1, 1}}, {2, {5, 5, 5}}};
  const std::map<int, CpuTimes> after = {{0, {2, 4, 3}}, {1, {0.5, 2, 1}}, {3, {9, 9, 9}}};
  const CpuTimes both = elapsed(before, after, {0, 1, 2, 3, 7});
  EXPECT_DOUBLE_EQ(both.busy, 1);
  EXPECT_DOUBLE_EQ(both.idle, 3);
  EXPECT_DOUBLE_EQ(both.steal, 0);
  EXPECT_DOUBLE_EQ(elapsed(before, after, {0}).total(), 3);
}

TEST(CpuTimes, ThisMachineHasCores) { EXPECT_FALSE(cpu_times().empty()); }

TEST(CpuTimes, CpuLists) {
  EXPECT_EQ(parse_cpu_list("0-3,7,9-10\n"), (std::vector<int>{0, 1, 2, 3, 7, 9, 10}));
  EXPECT_EQ(parse_cpu_list("5"), (std::vector<int>{5}));
  EXPECT_TRUE(parse_cpu_list("").empty());
  EXPECT_TRUE(parse_cpu_list("-3").empty());
  EXPECT_EQ(parse_cpu_list("1,x"), (std::vector<int>{1}));
  EXPECT_EQ(parse_cpu_list("1,2-99999999999"), (std::vector<int>{1}));
}

}  // namespace
}  // namespace perfgate::measure
