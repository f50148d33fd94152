// SPDX-License-Identifier: Apache-2.0
// sample_draw.h: steps 2 to 5 of sample.h, for the CPU and for a single thread of a GPU.
#pragma once

#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/philox.h"

namespace kernels {

struct SampleRule {
  float temperature, top_p;
  std::uint64_t seed, step;
};

inline constexpr int kSampleGroup = 32;

// Step 2. `largest` is above -inf.
KERNELS_HOST_DEVICE inline double SampleWeight(float logit, float largest, float temperature) {
  const auto value = static_cast<double>(logit);
  const auto top = static_cast<double>(largest);
  if (value == top) {
    return 1.0;  // infinities too
  }
  return exact::ExpOfNegative(
      exact::Divide(exact::Add(value, -top), static_cast<double>(temperature)));
}

// Whether a row with this largest logit can be drawn from.
KERNELS_HOST_DEVICE inline bool HasDistribution(float largest) {
  return static_cast<double>(largest) > -__builtin_huge_val();
}

struct Draw {
  int place;  // among the candidates
  float probability;
};

// `masses` has room for k numbers; logit_at(i) is the i-th candidate's logit.
template <class LogitAt>
KERNELS_HOST_DEVICE inline Draw DrawInOrder(const SampleRule& rule, std::int64_t row, int k,
                                            LogitAt logit_at, double* masses) {
  const auto weight_at = [&](int i) {
    return SampleWeight(logit_at(i), logit_at(0), rule.temperature);
  };
  double before = 0;
  double in_group = 0;
  for (int i = 0; i < k; ++i) {
    if (i % kSampleGroup == 0) {
      before = exact::Add(before, in_group);
      in_group = 0;
    }
    in_group = exact::Add(in_group, weight_at(i));
    masses[i] = exact::Add(before, in_group);
  }
  const double enough = exact::Multiply(static_cast<double>(rule.top_p), masses[k - 1]);
  int last = 0;
  while (masses[last] < enough) {
    ++last;
  }
  const double u = PhiloxUniform(rule.seed, rule.step, static_cast<std::uint64_t>(row));
  const double target = exact::Multiply(u, masses[last]);
  int place = 0;
  while (masses[place] <= target) {
    ++place;
  }
  return {place, static_cast<float>(exact::Divide(weight_at(place), masses[last]))};
}

}  // namespace kernels
