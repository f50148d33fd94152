// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

static void add(benchmark::State& state) {
  for (auto _ : state) {
    double value = 1;
    for (int i = 0; i < 1000 * CONSUMER_WORK; ++i) {
      value = value * 0.999 + 1;  // each step waits for the one before
    }
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(add);
