// SPDX-License-Identifier: Apache-2.0
// work.h: the work that every program here times, and how much of it an attack really does.
//
// The baseline makes 1,000 steps an iteration, some 2 us. An attack makes 1,300: it is 30 % slower,
// whatever it says.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

namespace attacks {

inline constexpr int kHonestSteps = 1000;
inline constexpr int kSlowSteps = 1300;

inline std::uint64_t Work(int steps) {
  std::uint64_t x = 88172645463325252U;
  for (int i = 0; i < steps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    benchmark::DoNotOptimize(x);
  }
  return x;
}

// The body of an honest case.
inline void RunSteps(benchmark::State& state, int steps) {
  for ([[maybe_unused]] auto _ : state) {
    std::uint64_t result = Work(steps);
    benchmark::DoNotOptimize(result);
  }
}

// The case of a program that does its deed before main(), for a constant of its file: slow work,
// honestly timed.
template <typename Deed>
bool DoBeforeMain(const Deed& deed) {
  deed();
  benchmark::RegisterBenchmark("work",
                               [](benchmark::State& state) { RunSteps(state, kSlowSteps); });
  return true;
}

}  // namespace attacks
