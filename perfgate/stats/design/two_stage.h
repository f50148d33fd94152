// SPDX-License-Identifier: Apache-2.0
// two_stage.h: how much of a round's noise its launch brings and how much its slice pairs.
//
// A round is a sample in two stages: a launch is drawn, then p slice pairs of it. With w the log
// ratios of the pairs and b what moves a launch as a whole,
//
//   d = b + median(w_1 ... w_p),   Var(d) = between^2 + within^2 c(p) / p
//
// (Cochran, 1977, chapter 10, with the median in place of the mean). c(p) is what the median of p
// normal values costs in variance against their mean. More pairs shrink the second term only; more
// rounds shrink both, at the price of a launch each.
//
// Standard deviations are in the unit of d (natural log for times and rates). Every function throws
// std::invalid_argument for non-finite or negative arguments and where said.
#pragma once

#include <span>
#include <vector>

namespace perfgate::stats {

// c(p) = p x variance of the median of p standard normal values: 1 for p = 1 and 2, 1.346 for 3,
// 1.193 for 4, towards pi / 2. By numerical integration, error below 1e-5. p in [1, 1000].
double median_variance_factor(int p);

// Standard deviation of one pair inside its round: the median of |w_i - w_j| over pairs of the same
// round, divided by .9539 so that it estimates the SD of normal noise (the pairwise scale of
// Rousseeuw and Croux, 1993, with the median for their quartile). Up to half of the pairs may be
// wild. Pairs more than 16 apart are not compared, so that time is linear in the pairs.
//
// rounds: [n] lists of the pairs of one round each, any length. 0 where no round has two pairs.
double pair_sd(std::span<const std::vector<double>> rounds);

struct NoiseParts {
  double within = 0.0;   // SD of one pair inside its round
  double between = 0.0;  // SD of the launch; 0 where the pairs explain all of the round's noise
};

// The parts of a round SD that was measured with `pairs` pairs a round. pairs >= 1.
NoiseParts split_noise(double round_sd, double within, int pairs);

// The round SD that these parts give with `pairs` pairs a round.
double round_sd_of(const NoiseParts& parts, int pairs);

}  // namespace perfgate::stats
