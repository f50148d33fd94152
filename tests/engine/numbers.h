// SPDX-License-Identifier: Apache-2.0
// numbers.h: numbers that tests of the engine feed in, and how far results lie apart.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "kernels/bf16.h"

namespace engine {

// Uniform in [-scale, scale], the same for a seed everywhere.
inline std::vector<float> Random(std::size_t count, unsigned seed, float scale = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-scale, scale);
  std::vector<float> values(count);
  for (float& value : values) {
    value = uniform(random);
  }
  return values;
}

inline std::vector<kernels::Bf16> Halves(const std::vector<float>& values) {
  std::vector<kernels::Bf16> halves;
  for (const float value : values) {
    halves.push_back(kernels::ToBf16(value));
  }
  return halves;
}

// ||a - b|| / ||b||, or ||a||^2 where b is zero; NaN where one of them has a NaN.
template <class A, class B>
double RelativeL2(const A& a, const B& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < std::size(b); ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    difference += (x - y) * (x - y);
    size += y * y;
  }
  return size == 0 ? difference : std::sqrt(difference / size);
}

inline double D(float value) { return static_cast<double>(value); }

}  // namespace engine
