// SPDX-License-Identifier: Apache-2.0
// Whatever the shape and the device, a plan covers the row within what a launch may be.
#include "kernels/cuda/rows/row_plan.h"

#include <gtest/gtest.h>

namespace kernels::cuda {
namespace {

GpuLimits Device(int sm, int multiprocessors) {
  GpuLimits limits;
  limits.sm = sm;
  limits.multiprocessors = multiprocessors;
  return limits;
}

TEST(RowPlan, CoversEveryRow) {
  for (const GpuLimits& limits : {Device(80, 108), Device(90, 132), Device(120, 188)}) {
    for (const std::int64_t rows : {1, 2, 8, 66, 132, 264, 265, 100000}) {
      for (std::int64_t groups = 1; groups < 300000; groups += 1 + groups / 7) {
        const RowPlan plan = PlanRows(rows, groups, limits, groups % 2 == 0 ? 512 : 1024);
        SCOPED_TRACE(std::to_string(limits.sm) + " " + std::to_string(rows) + " x " +
                     std::to_string(groups));
        ASSERT_GT(plan.threads, 0);
        ASSERT_LE(plan.threads, 1024);
        ASSERT_EQ(plan.threads % 32, 0);
        ASSERT_TRUE(plan.per == 1 || plan.per == 2 || plan.per == 4 || plan.per == 8);
        if (plan.scope == RowScope::kTwoPasses) {
          ASSERT_GT(groups, 8192);
          continue;
        }
        const std::int64_t threads =
            plan.scope == RowScope::kWarp ? 32 : static_cast<std::int64_t>(plan.threads);
        ASSERT_GE(threads * plan.per * plan.cluster, groups);
        ASSERT_EQ(plan.scope == RowScope::kCluster, plan.cluster > 1);
        ASSERT_LE(plan.cluster, limits.sm < 90 ? 1 : limits.sm == 90 ? 16 : 8);
        ASSERT_EQ(plan.threads,
                  plan.scope == RowScope::kWarp ? 32 * plan.rows_per_block : plan.threads);
        ASSERT_LE(plan.scope == RowScope::kWarp ? plan.threads : 0, 128);
      }
    }
  }
}

}  // namespace
}  // namespace kernels::cuda
