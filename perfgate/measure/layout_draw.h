// SPDX-License-Identifier: Apache-2.0
// layout_draw.h: which layout of its program each arm runs in a round.
//
// Every arm draws for itself, in random order and without putting back, so rounds are independent
// draws from the population of layouts. Coins and orders of a seed stay what they are without
// layouts: the draw has a stream of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/os/entropy.h"
#include "perfgate/measure/plan.h"

namespace perfgate::measure {

class LayoutDraw {
 public:
  LayoutDraw(std::uint64_t seed, const MeasurePlan& plan);

  // Per arm an index into ArmPlan::layouts for this round, counted from 0, or -1 for an arm without
  // layouts. Rounds are asked for in turn. std::logic_error where the layouts have run out.
  std::vector<int> Draw();

 private:
  const MeasurePlan& plan_;
  RandomStream random_;
  std::vector<std::vector<int>> orders_;  // per arm
  std::size_t round_ = 0;
};

// Rounds that the arms' layouts allow; none: any number.
std::optional<int> RoundsOfLayouts(const MeasurePlan& plan);

// Error(kUsage) where so many rounds need more layouts than an arm has.
void RequireLayouts(const MeasurePlan& plan, int rounds);

}  // namespace perfgate::measure
