// SPDX-License-Identifier: Apache-2.0
// Honest cases of every kind of untimed work, CLOCK_WORK steps an iteration (second_clock.py).
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace {

void Step(int steps) {
  std::uint64_t x = 1;
  for (int i = 0; i < steps; ++i) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    benchmark::DoNotOptimize(x);
  }
}

void SetUp(std::vector<std::uint64_t>& data) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = i * 2654435761U;
  benchmark::ClobberMemory();
}

void Plain(benchmark::State& state) {
  for (auto _ : state) Step(CLOCK_WORK);
}
BENCHMARK(Plain)->Name("plain")->UseRealTime();

void Threaded(benchmark::State& state) {
  for (auto _ : state) Step(CLOCK_WORK);
}
BENCHMARK(Threaded)->Name("threaded")->Threads(2)->UseRealTime();

void Manual(benchmark::State& state) {
  for (auto _ : state) {
    Step(500);
    const auto start = std::chrono::steady_clock::now();
    Step(20 * CLOCK_WORK);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(took.count());
  }
}
BENCHMARK(Manual)->Name("manual")->UseManualTime();

void Pausing(benchmark::State& state) {
  std::vector<std::uint64_t> data(4096);
  for (auto _ : state) {
    state.PauseTiming();
    SetUp(data);
    state.ResumeTiming();
    Step(10 * CLOCK_WORK);
  }
}
BENCHMARK(Pausing)->Name("pausing")->UseRealTime();

class Fixed : public benchmark::Fixture {
 public:
  void SetUp(benchmark::State&) override {
    data_.resize(100000);
    ::SetUp(data_);
  }

 protected:
  std::vector<std::uint64_t> data_;
};
BENCHMARK_DEFINE_F(Fixed, Steps)(benchmark::State& state) {
  for (auto _ : state) Step(CLOCK_WORK);
}
BENCHMARK_REGISTER_F(Fixed, Steps)->Name("fixture")->UseRealTime();

}  // namespace
