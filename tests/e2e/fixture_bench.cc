// SPDX-License-Identifier: Apache-2.0
// fixture_bench.cc: two cases; `changed` does FIXTURE_WORK times the work, `same` always the same.
#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

// Dependent multiplications: the time is the length, on every machine.
std::uint64_t chain(std::int64_t length) {
  std::uint64_t value = 88172645463325252U;
  for (std::int64_t i = 0; i < length; ++i) {
    value = value * 6364136223846793005U + static_cast<std::uint64_t>(i);
  }
  return value;
}

void run_chain(benchmark::State& state, std::int64_t length) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(length);
    benchmark::DoNotOptimize(chain(length));
  }
}

constexpr std::int64_t kLength = 2000;

void same(benchmark::State& state) { run_chain(state, kLength); }
void changed(benchmark::State& state) { run_chain(state, kLength * FIXTURE_WORK); }

}  // namespace

BENCHMARK(same);
BENCHMARK(changed);
