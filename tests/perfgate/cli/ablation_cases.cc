// SPDX-License-Identifier: Apache-2.0
// Cases that take no time and report constant ones, with options that do what their names say.
#include <benchmark/benchmark.h>

#include <string>

#include "perfgate/bench/metrics.h"

PERFGATE_METRIC("stage_read", "s", perfgate::bench::Direction::kLower, perfgate::bench::Kind::kTime)
PERFGATE_METRIC("stage_sum", "s", perfgate::bench::Direction::kLower, perfgate::bench::Kind::kTime)

namespace {

constexpr double kRead = 4e-5, kSum = 6e-5;  // seconds

void Add(const std::string& name, double read, double sum) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(read + sum);
    state.counters["stage_read"] = read;
    state.counters["stage_sum"] = sum;
  })->UseManualTime();
}

const bool kRegistered = [] {
  for (const std::string size : {"1", "2"}) {
    const std::string name = "work/size:" + size;
    Add(name, kRead, kSum);
    Add(name + "/mode:same", kRead, kSum);
    Add(name + "/mode:slow", kRead, 2 * kSum);
    Add(name + "/mode:fast", kRead / 2, kSum);
    // Faster reading for small sizes, paid for at large ones.
    Add(name + "/mode:mixed", size == "1" ? kRead / 2 : 2 * kRead, kSum);
  }
  Add("graded/grade:a", kRead, kSum);
  Add("graded/grade:b", kRead, kSum);
  return true;
}();

}  // namespace
