// SPDX-License-Identifier: Apache-2.0
// Cases that take no time and report one that depends on the folder which the executable lies in,
// as a layout does: NNNN of .../NNNN/cases. Folder 0000 is the link as it is.
//   still    no layout moves it
//   moved    every layout moves it, and the link as it is of the candidate by 6 %; no change does
//   changed  every layout moves it, and the candidate's is slower by CHANGED_BY in all
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#ifndef CHANGED_BY
#define CHANGED_BY 0.0
#endif
#ifdef CANDIDATE
constexpr unsigned kArm = 1;
#else
constexpr unsigned kArm = 0;
#endif

namespace {

int layout() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return std::atoi(self.parent_path().filename().c_str());
}

double effect_of_layout(unsigned salt) {
  std::mt19937_64 random(static_cast<unsigned>(layout()) * 8 + kArm * 4 + salt);
  random.discard(100);
  return layout() == 0 ? 0.0 : 0.02 * std::normal_distribution<double>()(random);
}

double noise() {
  static std::mt19937_64 random{std::random_device{}()};
  return 0.001 * std::normal_distribution<double>()(random);
}

void still(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e-4 * (1 + noise()));
}
BENCHMARK(still)->UseManualTime();

void moved(benchmark::State& state) {
  static const double effect = effect_of_layout(1) + (layout() == 0 && kArm == 1 ? 0.06 : 0.0);
  for (auto _ : state) state.SetIterationTime(1e-4 * (1 + effect + noise()));
}
BENCHMARK(moved)->UseManualTime();

void changed(benchmark::State& state) {
  static const double effect = effect_of_layout(2) + CHANGED_BY;
  for (auto _ : state) state.SetIterationTime(1e-4 * (1 + effect + noise()));
}
BENCHMARK(changed)->UseManualTime();

}  // namespace
