// SPDX-License-Identifier: Apache-2.0
// geometric_mean.h: how much slower the candidate is over a suite, as one number per metric.
//
// The observation of a round is the mean over cases of the log of the ratio candidate/baseline, of
// the rounds that measured all of these cases. The ratio is exp of the Hodges-Lehmann estimate of
// those means; the interval is the signed-rank one at the level that stays valid under early
// stopping (stats/inference/signed_rank.h), as for one case. Rounds are the sample, cases are not:
// the interval speaks of these cases, not of others.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

struct GeometricMean {
  Metric metric;
  int cases = 0;     // that entered
  int left_out = 0;  // gated ones that were not measured in both arms
  int rounds = 0;    // that measured all of them; 0: no session is at hand
  // Effects as in a verdict: 0.05 is 5 % slower, or 5 % less of a rate.
  double effect = std::numeric_limits<double>::quiet_NaN();
  double lo = std::numeric_limits<double>::quiet_NaN();  // NaN: fewer than 6 rounds, or no session
  double hi = std::numeric_limits<double>::quiet_NaN();
};

// One per gated metric of times or rates that at least two cases have. Without a session the
// effect is the geometric mean of the printed changes, and has no interval. None without a verdict.
std::vector<GeometricMean> GeometricMeansOf(const ReportedSuite& suite);

// "geometric mean over 12 cases, real_time: +0.31 % [-0.20, +0.80], n = 10"
std::string GeometricMeanText(const GeometricMean& mean);

// How it was computed, in a sentence or two.
std::string GeometricMeanMethod(const GeometricMean& mean);

}  // namespace perfgate::report
