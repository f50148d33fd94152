// SPDX-License-Identifier: Apache-2.0
// session_summary.h: what a session says of one case, metric and arm by itself.
//
// The median over rounds of each round's median slice, and an interval for it: two order
// statistics x(k), x(n+1-k) of the n rounds, whose confidence for the median is exactly
// 1 - 2 P(Bin(n, 1/2) < k) for independent rounds of any distribution (Thompson, 1936). k is the
// largest that keeps 95 %; where none does, below 6 rounds, it is 1 (min and max) and the
// confidence is what it is: 1 - 2^(1-n).
#pragma once

#include <span>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::report {

// The mean of the middle two where the count is even; NaN for none.
double median(std::span<const double> values);

inline constexpr double kWantedConfidence = 0.95;

struct Spread {
  double median = 0;  // NaN without rounds
  double lo = 0;
  double hi = 0;
  double confidence = 0;  // 0 for a single round
  int rounds = 0;
};

Spread spread(std::vector<double> rounds);

// Each round's median over the slices that are there; rounds without any are left out.
std::vector<double> round_medians(const Session& session, std::size_t case_index,
                                  std::size_t metric, std::size_t arm);

// Bytes per second of the case's declared work at the arm's median time, NaN where either is
// missing.
double bytes_per_second(const Session& session, std::size_t case_index, std::size_t arm);

// The share of the bytes per second of the case's declared ceiling, measured by the same arm in the
// same session; NaN without one. Passes 1 slightly where a case only reads.
double share_of_ceiling(const Session& session, std::size_t case_index, std::size_t arm);

// Whether any case declares bytes.
bool declares_bytes(const Session& session);

}  // namespace perfgate::report
