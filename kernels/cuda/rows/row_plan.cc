// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/rows/row_plan.h"

namespace kernels::cuda {
namespace {

constexpr int kWarp = 32;
constexpr int kMaxThreads = 1024;
constexpr int kMostPer = 8;
constexpr std::int64_t kShort = 1024;  // groups that one block gets through without delay

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

int MaxCluster(const GpuLimits& limits) {
  // 16 has to be asked for and is known to work on these; 8 works wherever there are clusters.
  const bool large = limits.sm / 10 == 9 || limits.sm / 10 == 10;
  return limits.sm < 90 ? 1 : large ? kMaxRowCluster : 8;
}

// `groups` is what one block has.
void SplitBlock(std::int64_t groups, std::int64_t short_groups, RowPlan& plan) {
  if (plan.few_rows) {
    plan.per = groups <= 512 ? 1 : groups <= 1024 ? 2 : groups <= 2048 ? 4 : kMostPer;
  } else {
    plan.per = groups <= short_groups ? 2 : groups <= 2048 ? 4 : kMostPer;
  }
  plan.threads = static_cast<int>(CeilDiv(CeilDiv(groups, plan.per), kWarp)) * kWarp;
}

}  // namespace

RowPlan PlanRows(std::int64_t rows, std::int64_t groups, const GpuLimits& limits,
                 std::int64_t short_groups) {
  RowPlan plan;
  const std::int64_t sms = limits.multiprocessors;
  plan.few_rows = rows <= 2 * sms;
  if (groups <= (plan.few_rows ? kWarp : kWarp * kMostPer)) {
    plan.scope = RowScope::kWarp;
    plan.rows_per_block = plan.few_rows ? 1 : 4;
    plan.threads = plan.rows_per_block * kWarp;
    plan.per = groups <= kWarp ? 1 : groups <= 2 * kWarp ? 2 : groups <= 4 * kWarp ? 4 : kMostPer;
    return plan;
  }
  const int most = MaxCluster(limits);
  const auto covers = [groups](int cluster, std::int64_t by) { return groups <= cluster * by; };
  constexpr std::int64_t kRoom = static_cast<std::int64_t>(kMaxThreads) * kMostPer;
  while (plan.cluster < most &&
         (!covers(plan.cluster, kRoom) ||
          (!covers(plan.cluster, kShort) && rows * plan.cluster * 2 <= sms))) {
    plan.cluster *= 2;
  }
  if (!covers(plan.cluster, kRoom)) {
    plan.scope = RowScope::kTwoPasses;
    plan.cluster = 1;
    plan.threads = kMaxThreads;
    return plan;
  }
  plan.scope = plan.cluster > 1 ? RowScope::kCluster : RowScope::kBlock;
  SplitBlock(CeilDiv(groups, plan.cluster), short_groups, plan);
  return plan;
}

}  // namespace kernels::cuda
