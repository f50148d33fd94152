// SPDX-License-Identifier: Apache-2.0
// A benchmark whose time is what a library beside it says: a constant, so that no noise decides.
#include <benchmark/benchmark.h>

extern "C" double library_seconds();

namespace {

void FromLibrary(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(library_seconds());
}
BENCHMARK(FromLibrary)->UseManualTime();

}  // namespace

BENCHMARK_MAIN();
