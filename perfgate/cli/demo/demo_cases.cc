// SPDX-License-Identifier: Apache-2.0
// The two benchmarks of `perfgate demo`. Built twice: as the old version with DEMO_STEPS 1000, and
// as the new one with 1050, which is 5 % more work.
//
// Both loops wait for their own last result, so that neither a clock frequency nor the place of the
// code in memory decides how long they take.
#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

constexpr std::uint64_t kMultiplier = 6364136223846793005U;
constexpr int kUnchangedSteps = 1000;

std::uint64_t Mix(std::uint64_t value, int steps) {
  for (int i = 0; i < steps; ++i) value = value * kMultiplier + 1;
  return value;
}

void Changed(benchmark::State& state) {
  std::uint64_t value = 1;
  for (auto _ : state) {
    value = Mix(value, DEMO_STEPS);
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(Changed)->Name("demo/changed");

void Unchanged(benchmark::State& state) {
  std::uint64_t value = 1;
  for (auto _ : state) {
    value = Mix(value, kUnchangedSteps);
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(Unchanged)->Name("demo/unchanged");

}  // namespace
