// SPDX-License-Identifier: Apache-2.0
// Two cases that take no time and report a constant one.
#include <benchmark/benchmark.h>

namespace {

void constant(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e-4);
}
BENCHMARK(constant)->Name("quick/one")->UseManualTime();
BENCHMARK(constant)->Name("quick/two")->UseManualTime();

}  // namespace
