// SPDX-License-Identifier: Apache-2.0
// Every kind of row that Google Benchmark writes; README.md has the command lines.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace {

void sum(benchmark::State& state) {
  std::vector<int> numbers(static_cast<std::size_t>(state.range(0)), 3);
  for (auto _ : state) {
    int total = 0;
    for (const int number : numbers) total += number;
    benchmark::DoNotOptimize(total);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * state.range(0) * 4);
  state.SetLabel("ints");
}
BENCHMARK(sum)->Arg(64)->Arg(4096);

void counters(benchmark::State& state) {
  int calls = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++calls);
  state.counters["depth"] = 7;
  state.counters["calls_rate"] = benchmark::Counter(calls, benchmark::Counter::kIsRate);
}
BENCHMARK(counters);

void not_a_number(benchmark::State& state) {
  int calls = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++calls);
  state.counters["residual"] = std::numeric_limits<double>::quiet_NaN();
  state.counters["ratio"] = std::numeric_limits<double>::infinity();
  state.counters["loss"] = -std::numeric_limits<double>::infinity();
}
BENCHMARK(not_a_number);

void manual(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e-5);
}
BENCHMARK(manual)->UseManualTime()->Iterations(20);

void threaded(benchmark::State& state) {
  int calls = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++calls);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(threaded)->Threads(2)->UseRealTime();

void sleeps(benchmark::State& state) {
  for (auto _ : state) std::this_thread::sleep_for(std::chrono::microseconds(200));
}
BENCHMARK(sleeps)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond);

void fails(benchmark::State& state) {
  state.SkipWithError("no such \"device\"");
  for (auto _ : state) {
  }
}
BENCHMARK(fails);

#ifdef SKIP_WITH_MESSAGE  // from 1.8.0 on
void skips(benchmark::State& state) {
  state.SkipWithMessage("needs a device");
  for (auto _ : state) {
  }
}
BENCHMARK(skips);
#endif

// Fails in its second repetition only.
void fails_later(benchmark::State& state) {
  static int runs = 0;
  ++runs;
  for (auto _ : state) {
    if (runs == 2) {
      state.SkipWithError("lost the device");
      break;
    }
  }
}
BENCHMARK(fails_later)->Iterations(10);

void grows(benchmark::State& state) {
  for (auto _ : state) {
    double total = 0;
    for (int i = 0; i < state.range(0); ++i) total += std::sqrt(i);
    benchmark::DoNotOptimize(total);
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(grows)->RangeMultiplier(4)->Range(16, 256)->Complexity(benchmark::oN);

}  // namespace

BENCHMARK_MAIN();
