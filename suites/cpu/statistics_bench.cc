// SPDX-License-Identifier: Apache-2.0
// The statistics themselves as a suite: resampling as a matrix product beside the loop that one
// would write first, and the flip test. Names: cases and rounds of the data, resamples or flips,
// threads. One iteration handles all cases; the counter `case_s` is the time per case.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/max_t.h"
#include "perfgate/stats/inference/sign_flips.h"
#include "perfgate/stats/resample/bootstrap.h"

namespace {

using perfgate::stats::Matrix;

constexpr std::size_t kRounds = 20;
constexpr std::size_t kRepetitions = 10000;

// rounds x cases, uniform in [-1, 1): peers/bootstrap_speed.py makes the same numbers.
Matrix data(std::size_t cases) {
  Matrix d(kRounds, cases);
  for (std::size_t i = 0; i < d.data.size(); ++i) {
    d.data[i] = static_cast<double>(perfgate::stats::splitmix64(7, i) >> 11U) * 0x1p-52 - 1.0;
  }
  return d;
}

void count_cases(benchmark::State& state, std::size_t cases) {
  state.counters["case_s"] =
      benchmark::Counter(static_cast<double>(cases), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}

void bootstrap(benchmark::State& state, perfgate::stats::BootstrapMethod method, std::size_t cases,
               std::size_t threads) {
  const Matrix d = data(cases);
  for (auto _ : state) {
    // The weights are part of the work: a report makes them once for all its cases.
    const auto weights = perfgate::stats::resample_weights(kRounds, kRepetitions);
    benchmark::DoNotOptimize(
        perfgate::stats::bootstrap_means(d, method, weights, 0.95, threads).data());
  }
  count_cases(state, cases);
}

void loop(benchmark::State& state, std::size_t cases) {
  const Matrix d = data(cases);
  for (auto _ : state) {
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> index(0, kRounds - 1);
    std::vector<double> means(kRepetitions);
    for (std::size_t c = 0; c < cases; ++c) {
      const std::vector<double> column = d.column(c);
      for (double& mean : means) {
        double sum = 0.0;
        for (std::size_t i = 0; i < kRounds; ++i) {
          sum += column[index(random)];
        }
        mean = sum / static_cast<double>(kRounds);
      }
      std::sort(means.begin(), means.end());
      double lo = perfgate::stats::quantile_of_sorted(means, 0.025);
      double hi = perfgate::stats::quantile_of_sorted(means, 0.975);
      benchmark::DoNotOptimize(lo);
      benchmark::DoNotOptimize(hi);
    }
  }
  count_cases(state, cases);
}

void flips(benchmark::State& state, std::size_t cases, std::size_t threads) {
  const Matrix d = data(cases);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        perfgate::stats::max_t(d, 2.0, 1, kRepetitions, threads).p_adjusted.data());
  }
  count_cases(state, cases);
}

void intervals(benchmark::State& state, std::size_t cases) {
  const Matrix d = data(cases);
  const auto cutoff = perfgate::stats::signed_rank_cutoff(kRounds, 0.025);
  for (auto _ : state) {
    for (std::size_t c = 0; c < cases; ++c) {
      auto interval = perfgate::stats::signed_rank_interval(d.column(c), cutoff);
      benchmark::DoNotOptimize(interval);
    }
  }
  count_cases(state, cases);
}

std::string shape(std::size_t cases, const char* repetitions) {
  return "/cases:" + std::to_string(cases) + "/rounds:" + std::to_string(kRounds) + "/" +
         repetitions + ":" + std::to_string(kRepetitions);
}

const bool kRegistered = [] {
  using perfgate::stats::BootstrapMethod;
  const auto add = [](const std::string& name, auto function) {
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  for (const std::size_t cases : {100U, 1000U, 10000U, 100000U}) {
    for (const std::size_t threads : {1U, 2U}) {
      const std::string suffix = "/workers:" + std::to_string(threads);
      add("bootstrap/method:percentile" + shape(cases, "resamples") + suffix,
          [=](benchmark::State& s) { bootstrap(s, BootstrapMethod::kPercentile, cases, threads); });
      add("max_t" + shape(cases, "flips") + suffix,
          [=](benchmark::State& s) { flips(s, cases, threads); });
    }
  }
  add("bootstrap/method:bca" + shape(1000, "resamples") + "/workers:1",
      [](benchmark::State& s) { bootstrap(s, BootstrapMethod::kBca, 1000, 1); });
  add("bootstrap/method:studentized" + shape(1000, "resamples") + "/workers:1",
      [](benchmark::State& s) { bootstrap(s, BootstrapMethod::kStudentized, 1000, 1); });
  add("bootstrap_loop/method:percentile" + shape(1000, "resamples"),
      [](benchmark::State& s) { loop(s, 1000); });
  add("signed_rank_interval/cases:1000/rounds:" + std::to_string(kRounds),
      [](benchmark::State& s) { intervals(s, 1000); });
  return true;
}();

}  // namespace
