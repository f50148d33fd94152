// SPDX-License-Identifier: Apache-2.0
// jitter.h: a made-up time with a spread, as every real clock has one: less than one part in 10^10.
#pragma once

#include <chrono>

namespace perfgate::testing_jitter {

inline double Jittered(double seconds) {
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count() % 1000;
  return seconds * (1 - 1e-13 * static_cast<double>(ticks));
}

// The same of a time that really passes: under a gate that looks at the wall as well.
inline double Spent(double seconds) {
  const std::chrono::duration<double> wanted(seconds);
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < wanted) {
  }
  return Jittered(seconds);
}

}  // namespace perfgate::testing_jitter
