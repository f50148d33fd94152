// SPDX-License-Identifier: Apache-2.0
// slice_bench.cc: manual time that is declared, not measured, so that how long perfgate makes the
// slices is known: 100 us an iteration, and more time that is not counted.
#include <benchmark/benchmark.h>
#include <perfgate/bench/metrics.h>

#include <chrono>
#include <thread>

#include "tests/support/jitter.h"

namespace {

constexpr double kDeclaredS = 100e-6;

void nothing_else(benchmark::State& state) {
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::duration<double>(kDeclaredS));
    state.SetIterationTime(perfgate::testing_jitter::Jittered(kDeclaredS));
  }
}
BENCHMARK(nothing_else)->UseManualTime();

void set_up(benchmark::State& state) {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  nothing_else(state);
}
BENCHMARK(set_up)->UseManualTime();

// As a GPU case that overwrites its outputs and empties the cache before every timed call.
void between_iterations(benchmark::State& state) {
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::duration<double>(6 * kDeclaredS));
    state.SetIterationTime(perfgate::testing_jitter::Jittered(kDeclaredS));
  }
}
BENCHMARK(between_iterations)->UseManualTime();

}  // namespace
