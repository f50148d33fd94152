// SPDX-License-Identifier: Apache-2.0
// parity_pair.h: one arm of a session against another, in one case and metric.
#pragma once

#include <span>
#include <vector>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

// Round statistics of arm `second` against arm `first`: positive, second is worse. Rounds in which
// one of them has no value are left out.
std::vector<double> pair_rounds(const Session& session, std::size_t case_index,
                                std::size_t metric_index, std::size_t first, std::size_t second);

// Per round: the median over the slices of one arm; rounds without a value are left out.
std::vector<double> arm_rounds(const Session& session, std::size_t case_index,
                               std::size_t metric_index, std::size_t arm);

// Win, match, loss or unresolved at the first look that settles it. Times and rates by
// stats/inference/parity.h; counts and scores by the same intervals on their differences, where
// ends on the margin itself are within it. Looks below 6 rounds decide nothing.
ParityPair judge_pair(std::span<const double> d, const Metric& metric, double margin,
                      std::span<const int> looks);

// The rounds that the pair's status rests on.
std::span<const double> rounds_of(const ParityPair& pair, std::span<const double> d);

// A pair that is not compared.
ParityPair lost_pair(const std::string& reason);

}  // namespace perfgate::inline verdict
