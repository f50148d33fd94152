// SPDX-License-Identifier: Apache-2.0
// A slow program that keeps the gate from deciding, or tries until it passes. ATTACK chooses how.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include "tests/hostile/attacks/victims.h"
#include "tests/hostile/attacks/work.h"

namespace {

using attacks::kHonestSteps;
using attacks::kSlowSteps;

// How often a gate has been run on this program, as it keeps count beside itself: the runs of one
// gate follow each other within 2 s.
[[maybe_unused]] int Attempt() {
  const std::string file = attacks::RunFolder() + "/count";
  long count = 0;
  long last = 0;
  std::ifstream(file) >> count >> last;
  const long now = std::chrono::duration_cast<std::chrono::milliseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  if (now - last > 2000) ++count;
  std::ofstream(file) << count << " " << now;
  return static_cast<int>(count);
}

[[maybe_unused]] double Random() {
  static std::mt19937 generator(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

int Steps() {
#if ATTACK == 1  // half of its slices three times as slow
  return Random() < 0.5 ? 3 * kSlowSteps : kHonestSteps / 2;
#elif ATTACK == 2  // a different speed in every process
  static const double speed = Random();
  return static_cast<int>(kHonestSteps * (0.4 + 1.8 * speed));
#elif ATTACK == 3  // slow until it has been refused once
  static const int steps = Attempt() > 1 ? kHonestSteps : kSlowSteps;
  return steps;
#else
  return kSlowSteps;
#endif
}

void Case(benchmark::State& state) { attacks::RunSteps(state, Steps()); }
BENCHMARK(Case)->Name("work");

}  // namespace
