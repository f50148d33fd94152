// SPDX-License-Identifier: Apache-2.0
// Cases that work for real and report a time that depends on the name of the folder which the
// executable lies in, as if its place in memory did: 12 % more in slow/, 12 % less in fast/.
//   placed   only the place differs; IN_FRONT puts other code in front of it
//   touched  its constant differs with TOUCHED
// Counters follow the same rule, and are never explained by a place.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

#ifndef TOUCHED
#define TOUCHED 1.0000001
#endif

#ifdef IN_FRONT
double another(double x, int n) {
  if (n == 3) std::puts("a text that was not there");
  for (int i = 0; i < n; ++i) x = x * 1.75 + 0.3125;
  return x;
}
void in_front(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(another(1, 10));
}
BENCHMARK(in_front);
#endif

namespace {

double factor() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string folder = self.parent_path().filename();
  return folder == "slow" ? 1.12 : folder == "fast" ? 0.88 : 1.0;
}

double noise() {
  static std::mt19937_64 random{std::random_device{}()};
  return 1 + 0.001 * std::normal_distribution<double>()(random);
}

[[gnu::noinline]] double spin(double x, double step) {
  for (int i = 0; i < 20000; ++i) x = x * step + 0.5;
  return x;
}

[[gnu::noinline]] double spin_touched(double x) {
  for (int i = 0; i < 20000; ++i) x = x * TOUCHED + 0.25;
  return x;
}

void placed(benchmark::State& state) {
  static const double times = factor();
  for (auto _ : state) {
    double start = 1;
    benchmark::DoNotOptimize(start);
    benchmark::DoNotOptimize(spin(start, 0.999));
    state.SetIterationTime(1e-4 * times * noise());
  }
}
BENCHMARK(placed)->UseManualTime();

void touched(benchmark::State& state) {
  static const double times = factor();
  for (auto _ : state) {
    double start = 1;
    benchmark::DoNotOptimize(start);
    benchmark::DoNotOptimize(spin_touched(start));
    state.SetIterationTime(1e-4 * times * noise());
  }
}
BENCHMARK(touched)->UseManualTime();

}  // namespace
