// SPDX-License-Identifier: Apache-2.0
// An executable that declares the metrics BAD_METRIC (twice if BAD_TWICE): it must refuse to start.
#include <benchmark/benchmark.h>

#include "perfgate/bench/metrics.h"

PERFGATE_METRIC(BAD_METRIC, "s", perfgate::bench::Direction::kLower, perfgate::bench::Kind::kTime)
#if defined(BAD_TWICE)
PERFGATE_METRIC(BAD_METRIC, "s", perfgate::bench::Direction::kLower, perfgate::bench::Kind::kTime)
#endif

static void Nothing(benchmark::State& state) {
  for (auto _ : state) {
  }
}
BENCHMARK(Nothing);
