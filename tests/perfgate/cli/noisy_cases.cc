// SPDX-License-Identifier: Apache-2.0
// Cases that take no time and report one with noise: between launches, between slices, or both; and
// one that fails.
#include <benchmark/benchmark.h>

#include <random>

#include "tests/support/jitter.h"

namespace {

double normal() {
  static std::mt19937_64 random{std::random_device{}()};
  return std::normal_distribution<double>()(random);
}

// The launch's share is drawn once per process, the slice's once per slice.
void noisy(benchmark::State& state, double launch_sd, double slice_sd) {
  static const double launch = normal();
  const double factor = 1 + launch_sd * launch + slice_sd * normal();
  for (auto _ : state) state.SetIterationTime(1e-4 * (factor > 0.1 ? factor : 0.1));
}
BENCHMARK_CAPTURE(noisy, quiet, 0.0005, 0.0005)->Name("noisy/quiet")->UseManualTime();
BENCHMARK_CAPTURE(noisy, loud, 0.2, 0.0001)->Name("noisy/loud")->UseManualTime();

void broken(benchmark::State& state) {
  state.SkipWithError("broken on purpose");
  for (auto _ : state) state.SetIterationTime(perfgate::testing_jitter::Jittered(1e-4));
}
BENCHMARK(broken)->Name("broken/error")->UseManualTime();

}  // namespace
