// SPDX-License-Identifier: Apache-2.0
// Two cases that take no time and report a constant one, QUICK_SECONDS; one case with QUICK_SINGLE.
#include <benchmark/benchmark.h>

#include "tests/support/jitter.h"

#if !defined(QUICK_SECONDS)
#define QUICK_SECONDS 1e-4
#endif

namespace {

void constant(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(perfgate::testing_jitter::Jittered(QUICK_SECONDS));
}
BENCHMARK(constant)->Name("quick/one")->UseManualTime();
#if !defined(QUICK_SINGLE)
BENCHMARK(constant)->Name("quick/two")->UseManualTime();
#endif

}  // namespace
