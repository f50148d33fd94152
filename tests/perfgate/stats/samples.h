// SPDX-License-Identifier: Apache-2.0
// samples.h: reproducible inputs for the statistics tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "perfgate/stats/estimate/matrix.h"

namespace perfgate::stats::testing {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Uniform in [-.5, .5) from 53 bits of a generator that is the same in every standard library.
inline double uniform(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11U), -53) - 0.5;
}

inline std::vector<double> sample(std::size_t n, std::uint64_t seed, double scale = 0.05) {
  std::mt19937_64 random(seed);
  std::vector<double> values(n);
  for (double& value : values) {
    value = scale * uniform(random);
  }
  return values;
}

inline Matrix sample_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed,
                            double shift = 0.0) {
  Matrix x(rows, cols);
  x.data = sample(rows * cols, seed);
  for (double& value : x.data) {
    value += shift;
  }
  return x;
}

}  // namespace perfgate::stats::testing
