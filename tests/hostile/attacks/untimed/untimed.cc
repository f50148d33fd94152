// SPDX-License-Identifier: Apache-2.0
// Work that is done while nobody times it. ATTACK chooses how.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <unordered_map>
#include <vector>

#include "tests/hostile/attacks/work.h"

namespace {

using attacks::kHonestSteps;
using attacks::kSlowSteps;
using attacks::Work;

constexpr int kHidden = kSlowSteps - kHonestSteps;

#if ATTACK == 1  // a part of it while the clock is paused, once in a hundred iterations
void Case(benchmark::State& state) {
  int count = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(Work(kHonestSteps));
    if (++count % 100 != 0) continue;
    state.PauseTiming();
    benchmark::DoNotOptimize(Work(100 * kHidden));
    state.ResumeTiming();
  }
}
#elif ATTACK == 2  // a part of it before the loop
void Case(benchmark::State& state) {
  for (benchmark::IterationCount i = 0; i < state.max_iterations; ++i) {
    benchmark::DoNotOptimize(Work(kHidden));
  }
  attacks::RunSteps(state, kHonestSteps);
}
#elif ATTACK == 3  // all of it in the first iteration of the process
void Case(benchmark::State& state) {
  static std::uint64_t known = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (known == 0) known = Work(kSlowSteps);
    benchmark::DoNotOptimize(known);
  }
}
#elif ATTACK == 4  // answers kept by the content of the input
void Case(benchmark::State& state) {
  static std::unordered_map<int, std::uint64_t> known;
  for ([[maybe_unused]] auto _ : state) {
    auto [place, fresh] = known.try_emplace(kSlowSteps, 0);
    if (fresh) place->second = Work(kSlowSteps);
    benchmark::DoNotOptimize(place->second);
  }
}
#elif ATTACK == 5  // a part of it handed to a thread that is waited for after the loop
void Case(benchmark::State& state) {
  benchmark::IterationCount count = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(Work(kHonestSteps));
    ++count;
  }
  std::thread([count] {
    for (benchmark::IterationCount i = 0; i < count; ++i) benchmark::DoNotOptimize(Work(kHidden));
  }).join();
}
#elif ATTACK == 6  // a part of it in a process that is waited for after the loop
void Case(benchmark::State& state) {
  benchmark::IterationCount count = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(Work(kHonestSteps));
    ++count;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    for (benchmark::IterationCount i = 0; i < count; ++i) benchmark::DoNotOptimize(Work(kHidden));
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}
#elif ATTACK == 7  // a time of its own
void Case(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  for ([[maybe_unused]] auto _ : state) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize(Work(kSlowSteps));
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count() / 1.3);
  }
}
#elif ATTACK == 8  // the result is not used, so the compiler does no work
void Case(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    std::uint64_t x = 88172645463325252U;
    for (int i = 0; i < kSlowSteps; ++i) x ^= x << 13;
    static_cast<void>(x);
  }
}
#elif ATTACK == 9  // one piece of work for a batch of iterations
void Case(benchmark::State& state) {
  while (state.KeepRunningBatch(10)) benchmark::DoNotOptimize(Work(kSlowSteps));
}
#endif

#if ATTACK == 7
BENCHMARK(Case)->Name("work")->UseManualTime();
#else
BENCHMARK(Case)->Name("work");
#endif

}  // namespace
