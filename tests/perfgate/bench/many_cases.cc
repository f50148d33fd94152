// SPDX-License-Identifier: Apache-2.0
// A suite of CASES cases in CASES / 10 families that do nothing: what is timed is the worker.
#include <benchmark/benchmark.h>

#include <string>

static const bool kRegistered = [] {
  for (int family = 0; family < CASES / 10; ++family) {
    const std::string name = "kernel_of_some_length<float, " + std::to_string(family) + ">/impl:v2";
    benchmark::RegisterBenchmark(name.c_str(),
                                 [](benchmark::State& state) {
                                   for (auto _ : state) {
                                   }
                                 })
        ->ArgName("rows")
        ->DenseRange(1000, 1009);
  }
  return true;
}();
