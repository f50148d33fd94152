// SPDX-License-Identifier: Apache-2.0
// Cases that take no time and report constant ones, with options that do what their names say.
#include <benchmark/benchmark.h>

#include <fstream>
#include <limits>
#include <set>
#include <string>

#include "perfgate/bench/metrics.h"
#include "perfgate/bench/run_folder.h"
#include "perfgate/bench/work.h"
#include "tests/support/jitter.h"

PERFGATE_METRIC("stage_read", "s", perfgate::bench::Direction::kLower, perfgate::bench::Kind::kTime)
PERFGATE_METRIC("score", "", perfgate::bench::Direction::kHigher, perfgate::bench::Kind::kScore)
PERFGATE_METRIC("stage_sum", "s", perfgate::bench::Direction::kLower, perfgate::bench::Kind::kTime)
PERFGATE_METRIC("stage_read_sum", "s", perfgate::bench::Direction::kLower,
                perfgate::bench::Kind::kTime)

namespace {

using perfgate::testing_jitter::Jittered;

constexpr double kRead = 4e-5, kSum = 6e-5;  // seconds

void Add(const std::string& name, double read, double sum) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(Jittered(read + sum));
    state.counters["stage_read"] = Jittered(read);
    state.counters["stage_sum"] = Jittered(sum);
  })->UseManualTime();
}

void AddFailing(const std::string& name) {
  benchmark::RegisterBenchmark(name.c_str(), [](benchmark::State& state) {
    state.SkipWithError("no such thing");
  })->UseManualTime();
}

// A case that reads and sums in one stage; `stage`: what it reports of that, in seconds.
void AddFused(const std::string& name, double seconds, double stage) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(Jittered(seconds));
    state.counters["stage_read_sum"] = Jittered(stage);
  })->UseManualTime();
}

// A case that answers questions: `score` of them right, `digest` of its answers.
void AddAnswering(const std::string& name, double seconds, double score, double digest,
                  const std::string& result) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(Jittered(seconds));
    state.counters["score"] = score;
    state.counters["result_digest"] = digest;
  })->UseManualTime();
  perfgate::bench::DeclareWork(name, {.result = result});
}

// Takes twice as long in the process that made what the run's folder has.
void AddSharing(const std::string& name) {
  benchmark::RegisterBenchmark(name.c_str(), [](benchmark::State& state) {
    const std::string& folder = perfgate::bench::RunFolder();
    if (folder.empty()) {
      state.SkipWithError("no folder");
      return;
    }
    static const bool found = std::ifstream(folder + "/made").good();
    std::ofstream(folder + "/made") << "something";
    for (auto _ : state) state.SetIterationTime(Jittered(found ? kSum : 2 * kSum));
  })->UseManualTime();
}

// As slow as there are such cases in the process already: a tenth of its time for each.
void AddCrowded(const std::string& name) {
  benchmark::RegisterBenchmark(name.c_str(), [name](benchmark::State& state) {
    static std::set<std::string> seen;
    seen.insert(name);
    for (auto _ : state)
      state.SetIterationTime(Jittered(kSum * (1 + 0.1 * static_cast<double>(seen.size()))));
  })->UseManualTime();
}

const bool kRegistered = [] {
  perfgate::bench::DeclareResultDigest();
  AddAnswering("answer", kSum, 1, 41, "exact");
  AddAnswering("answer/trick:guess", kSum / 2, 0.9, 40, "guessed");
  AddAnswering("answer/trick:round", kSum / 2, 1, 42, "rounded");
  AddAnswering("answer/trick:exact", kSum / 2, 1, 41, "exact");
  AddAnswering("answer/trick:forged", kSum / 2, 1, 42, "exact");
  for (const std::string size : {"1", "2"}) {
    const std::string name = "work/size:" + size;
    Add(name, kRead, kSum);
    Add(name + "/mode:same", kRead, kSum);
    Add(name + "/mode:slow", kRead, 2 * kSum);
    Add(name + "/mode:fast", kRead / 2, kSum);
    // Faster reading for small sizes, paid for at large ones.
    Add(name + "/mode:mixed", size == "1" ? kRead / 2 : 2 * kRead, kSum);
  }
  for (const std::string crowd : {"crowd/size:1", "crowd/size:2"}) {
    AddCrowded(crowd);
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) AddCrowded(crowd + "/name:" + name);
  }
  AddSharing("shared");
  AddSharing("shared/launch:again");
  Add("fusable", kRead, kSum);
  AddFused("fusable/fuse:gain", (kRead + kSum) / 2, (kRead + kSum) / 2);
  AddFused("fusable/fuse:loss", 2 * (kRead + kSum), 2 * (kRead + kSum));
  AddFused("fusable/fuse:none", kRead + kSum, 0);
  AddFused("fusable/fuse:nan", kRead + kSum, std::numeric_limits<double>::quiet_NaN());
  // Faster, and without what it would be judged by.
  AddAnswering("scored", kSum, 1, 41, "");
  AddFused("scored/score:kept_back", kSum / 2, kSum / 2);
  AddFused("unscored", kSum, kSum);
  AddAnswering("unscored/score:boasted", kSum / 2, 1, 41, "");
  // Slower, and beside it an option whose case without it fails.
  Add("lost/way:slow", kRead, 2 * kSum);
  Add("lost", kRead, kSum);
  AddFailing("broken");
  Add("broken/way:new", kRead, kSum);
  Add("graded/grade:a", kRead, kSum);
  Add("graded/grade:b", kRead, kSum);
  return true;
}();

}  // namespace
