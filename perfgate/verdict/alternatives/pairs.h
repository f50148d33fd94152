// SPDX-License-Identifier: Apache-2.0
// pairs.h: the speed-up of one alternative over another, round by round.
#pragma once

#include <cstddef>
#include <vector>

#include "perfgate/stats/inference/simultaneous.h"
#include "perfgate/verdict/alternatives/question.h"

namespace perfgate::inline verdict {

// Indices of arms: the logarithm is that of the speed-up of the second over the first.
struct ArmPair {
  std::size_t first = 0;
  std::size_t second = 0;
};

// Pairs among the alternatives that are compared: all of them, or those with the reference.
std::vector<ArmPair> pairs_among(const std::vector<Standing>& standings,
                                 const AlternativesQuestion& question);

// Rounds in which one of the two has no value are left out.
stats::RoundSeries speed_ups_of(const Session& session, std::size_t case_index,
                                std::size_t metric_index, ArmPair pair);

// The mean over cases, of the rounds that all of them have; `cases`: at least one series.
stats::RoundSeries mean_over_cases(const std::vector<stats::RoundSeries>& cases);

}  // namespace perfgate::inline verdict
