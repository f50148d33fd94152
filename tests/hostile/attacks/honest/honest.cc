// SPDX-License-Identifier: Apache-2.0
// Honest programs of STEPS steps: the baseline, the control that is 30 % slower, a faster one.
#include <chrono>

#include "tests/hostile/attacks/work.h"

namespace {
volatile int steps = STEPS;

#if defined(MANUAL_TIME)
void Case(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(attacks::Work(steps));
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}
BENCHMARK(Case)->Name("work")->UseManualTime();
#else
void Case(benchmark::State& state) { attacks::RunSteps(state, steps); }
BENCHMARK(Case)->Name("work");
#endif

}  // namespace

#ifndef SERVES_PROTOCOL
BENCHMARK_MAIN();
#endif
