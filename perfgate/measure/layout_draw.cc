// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/layout_draw.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>

#include "perfgate/base/error.h"

namespace perfgate::measure {
namespace {

// Any constant will do that gives a stream of its own.
constexpr std::uint64_t kStream = 0x6c61796f757473U;

}  // namespace

LayoutDraw::LayoutDraw(std::uint64_t seed, const MeasurePlan& plan)
    : plan_(plan), random_(seed ^ kStream), orders_(plan.arms.size()) {
  for (std::size_t arm = 0; arm < orders_.size(); ++arm) {
    orders_[arm].resize(plan.arms[arm].layouts.size());
    std::iota(orders_[arm].begin(), orders_[arm].end(), 0);
  }
}

std::vector<int> LayoutDraw::Draw() {
  std::vector<int> drawn;
  for (std::vector<int>& order : orders_) {
    if (order.empty()) {
      drawn.push_back(-1);
      continue;
    }
    const std::size_t place = round_ % order.size();
    if (round_ >= order.size() && !plan_.policy.reuse_layouts) {
      throw std::logic_error("LayoutDraw: an arm has no layout left");
    }
    if (place == 0) random_.shuffle(std::span<int>(order));
    drawn.push_back(order[place]);
  }
  ++round_;
  return drawn;
}

std::optional<int> RoundsOfLayouts(const MeasurePlan& plan) {
  std::optional<int> rounds;
  for (const ArmPlan& arm : plan.arms) {
    if (arm.layouts.empty() || plan.policy.reuse_layouts) continue;
    const int count = static_cast<int>(arm.layouts.size());
    rounds = rounds ? std::min(*rounds, count) : count;
  }
  return rounds;
}

void RequireLayouts(const MeasurePlan& plan, int rounds) {
  const std::optional<int> most = RoundsOfLayouts(plan);
  if (!most || rounds <= *most) return;
  throw Error(Exit::kUsage, std::to_string(rounds) +
                                " rounds need as many layouts of each arm, and " + "one has " +
                                std::to_string(*most) +
                                " that no round ran yet: link more (perfgate relink --count " +
                                std::to_string(rounds) +
                                "), ask for fewer rounds, or allow --reuse-layouts, which weakens "
                                "every claim");
}

}  // namespace perfgate::measure
