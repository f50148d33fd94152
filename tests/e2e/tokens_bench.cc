// SPDX-License-Identifier: Apache-2.0
// A case that says how many tokens it generates: TOKENS.
#include <benchmark/benchmark.h>

#include <string>

#include "perfgate/bench/work.h"

namespace {

void Generate(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(i);
  }
}

const bool kRegistered = [] {
  benchmark::RegisterBenchmark("generate", &Generate);
  perfgate::bench::DeclareWork(
      "generate", {.workload = {{"model", "tiny"}, {"generated_tokens", std::to_string(TOKENS)}}});
  return true;
}();

}  // namespace
