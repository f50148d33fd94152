// SPDX-License-Identifier: Apache-2.0
// noise.h: the shapes of noise that the calibration programs draw rounds from.
//
// Draws have no particular scale; sd says theirs. The four centres say what an interval for a
// mean, a median, a pseudomedian (median of (X + X') / 2, what Hodges-Lehmann estimates) or a 20 %
// trimmed mean must enclose.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tests/calibration/stream.h"

namespace perfgate::calibration {

struct Noise {
  std::string name;
  std::function<double(Stream&)> draw;
  double sd = 1.0;  // infinity never: every shape here has one
  double mean = 0.0;
  double median = 0.0;
  double pseudomedian = 0.0;
  double trimmed_mean = 0.0;  // of the middle 60 %
};

Noise normal_noise();                 // SD 1
Noise lognormal_noise(double sigma);  // exp(sigma Z), skewed
Noise t3_noise();                     // Student t with 3 degrees of freedom, SD sqrt(3)
// Two stuck states: N(0, 1) with this weight (.5 or .7), else N(distance, 1).
Noise bimodal_noise(double weight, double distance = 4.0);
Noise contaminated_noise(double share);  // N(0, 1), a share of it times 10

// Rounds recorded by measuring identical code: a uniform draw from `rounds`, centred at their
// median where centred, and with a fresh coin for the sign, as the coin that assigns roles does.
Noise recorded_noise(std::string name, std::span<const double> rounds, bool centred);

// normal, lognormal .5, lognormal 1, t3, bimodal 50/50, contaminated 10 %.
std::vector<Noise> textbook_noises();

// One recorded set: d[case][round], log(second / first) of identical code.
struct RecordedRounds {
  std::vector<std::string> cases;
  std::vector<std::vector<double>> d;
};

// tests/data/stats/recorded_rounds.json, "fine" (alternated slices) or "proc" (one process after
// the other); fixed roles, so use it centred.
RecordedRounds recorded_elsewhere(const std::string& set);

// tests/data/calibration/aa_rounds.json: recorded by perfgate itself, roles by coin.
RecordedRounds recorded_by_perfgate();

}  // namespace perfgate::calibration
