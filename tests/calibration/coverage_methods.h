// SPDX-License-Identifier: Apache-2.0
// coverage_methods.h: the intervals whose coverage the coverage program counts.
//
// Each is judged against what it estimates: a mean, a median, a 20 % trimmed mean or a
// pseudomedian.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perfgate/stats/estimate/matrix.h"
#include "perfgate/stats/resample/resample_weights.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/tally.h"

namespace perfgate::calibration {

inline constexpr std::size_t kResamples = 2000;

struct Method {
  const char* name;
  double Noise::*target;
};

// The default first.
std::span<const Method> methods();

// One sample of n rounds per column: trials first .. last - 1 of the cell.
stats::Matrix draw_samples(const Noise& noise, std::size_t n, std::size_t cell, const Batch& batch);

// Adds to hits[m] the columns of d whose interval by methods()[m] holds its target.
void count_hits(const stats::Matrix& d, const Noise& noise, const stats::ResampleWeights& weights,
                std::span<std::size_t> hits);

// The same for the default method alone, which needs no resamples.
std::size_t count_default_hits(const stats::Matrix& d, const Noise& noise);

}  // namespace perfgate::calibration
