// SPDX-License-Identifier: Apache-2.0
// FLEET_CASES cases that take 20 us each, by a clock that they watch. With FLEET_SLOWER every 40th
// takes a tenth longer; FLEET_CRASH is a case that ends the process.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "tests/support/jitter.h"

#if !defined(FLEET_CASES)
#define FLEET_CASES 200
#endif
#if !defined(FLEET_SLOWER)
#define FLEET_SLOWER 1.0
#endif
#if !defined(FLEET_CRASH)
#define FLEET_CRASH -1
#endif

namespace {

constexpr double kSeconds = 20e-6;
constexpr int kEvery = 40;
constexpr int kFirst = 7;

void Wait(benchmark::State& state, int number) {
  const double seconds = kSeconds * (number % kEvery == kFirst ? FLEET_SLOWER : 1.0);
  if (number == FLEET_CRASH) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(perfgate::testing_jitter::Spent(seconds));
}

const bool kRegistered = [] {
  for (int number = 0; number < FLEET_CASES; ++number) {
    const std::string name = "fleet/case:" + std::to_string(number);
    benchmark::RegisterBenchmark(name.c_str(), Wait, number);
  }
  return true;
}();

}  // namespace
