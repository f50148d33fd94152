// SPDX-License-Identifier: Apache-2.0
// engine_bench: prompts, generation and starts of the engine, at the cases of engine_cases.h.
//
// real_time of pp is the time to the first token, of tg the time from the first token to the last,
// of both together the whole request, of start the opening and the request after it. Metrics beside
// it: ttft, tpot, percentiles of the times between tokens (itl), and of profiled cases the time in
// each stage of the decoder that ran: which those are depends on what the device fuses. An
// iteration that gives another number of tokens than the case names, or other logits than the one
// before, ends the case.
//
// Of a start they are also its two parts, `open` and `request`, and start_config, start_device,
// start_weights, start_cache and start_prebuild, the stages of `open` that ran.
//
// Cases with tasks (engine_tasks.h) time all of them, with ttft and tpot of the mean task, and have
// a `score` beside: a faster engine that answers worse is no better.
//
// Counters: prompt_tokens and tokens of a request, and result_digest, 52 bits of a hash over the
// tokens and Result::logits_hash of every request: two executables that print the same one computed
// the same bits. perfgate ablate holds cases to it that differ in nothing but options that keep
// every bit.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/decode/profile.h"
#include "perfgate/bench/metrics.h"
#include "perfgate/bench/recorder.h"
#include "perfgate/bench/run_folder.h"
#include "suites/engine/engine_ask.h"
#include "suites/engine/engine_cases.h"
#include "suites/engine/engine_models.h"
#include "suites/engine/engine_tasks.h"
#include "suites/engine/engine_wrap.h"

namespace suites {
namespace {

using perfgate::bench::DeclareMetric;
using perfgate::bench::Direction;
using perfgate::bench::Kind;

#if defined(ENGINE_BENCH_CUDA)
constexpr std::int64_t kCopyBytes = 0;  // what the host copies is no measure of a GPU
std::vector<EngineCase> TheCases() { return CudaCases(); }
#elif defined(ENGINE_BENCH_LARGE)
constexpr std::int64_t kCopyBytes = std::int64_t{256} << 20U;  // past every cache
std::vector<EngineCase> TheCases() { return LargeCases(); }
#else
constexpr std::int64_t kCopyBytes = std::int64_t{2} << 20U;  // where the weights of gqa7 are, too
std::vector<EngineCase> TheCases() { return SmallCases(); }
#endif

// Every time between two tokens.
perfgate::bench::Recorder token_gaps("itl");

std::string StageCounter(std::string_view stage) { return "stage_" + std::string(stage); }

std::string StartCounter(std::size_t stage) { return "start_" + std::string(kStartStages[stage]); }

EnginePool& ThePool() {
  static EnginePool pool(WrapOfSuite, perfgate::bench::RunFolder());
  return pool;
}

// Makes what the case needs; the engine that its iterations share, where they do. False: it cannot
// be had, which ends the case.
bool Prepare(benchmark::State& state, const EngineCase& c, Opened*& opened) {
  try {
    if (c.start) {
      ThePool().Model(c);
    } else {
      opened = &ThePool().Open(c);
    }
    return true;
  } catch (const std::runtime_error& error) {
    state.SkipWithError(error.what());
    return false;
  }
}

// `sum`: over all iterations.
void Report(benchmark::State& state, const EngineCase& c, const Took& sum) {
  const auto iterations = static_cast<double>(state.iterations());
  const double requests = iterations * (c.follow > 0 ? static_cast<double>(kTasks) : 1);
  if (c.prompt > 0 || c.follow > 0 || c.start) {
    state.counters["ttft"] = sum.ttft / requests;
  }
  if (c.generated > 0 || c.follow > 0 || c.start) {
    state.counters["tpot"] = sum.tpot / requests;
  }
  if (c.follow > 0) {
    state.counters["score"] =
        static_cast<double>(sum.right) / (requests * static_cast<double>(c.follow));
  }
  if (c.start) {
    state.counters["open"] = sum.open / iterations;
    state.counters["request"] = sum.request / iterations;
    for (std::size_t i = 0; i < kStartStages.size(); ++i) {
      if (sum.stages[i]) {
        state.counters[StartCounter(i)] = *sum.stages[i] / iterations;
      }
    }
  }
  state.counters["prompt_tokens"] = static_cast<double>(c.prompt_tokens());
  state.counters["tokens"] = static_cast<double>(c.max_tokens());
  state.counters["result_digest"] = static_cast<double>(sum.hash & ((std::uint64_t{1} << 52U) - 1));
}

void ReportProfile(benchmark::State& state, const engine::StageProfile& profile) {
  for (const auto& [stage, name] : engine::kOpStages) {
    if (profile.ran(stage)) {
      state.counters[StageCounter(name)] =
          profile.seconds(stage) / static_cast<double>(state.iterations());
    }
  }
}

void Measure(benchmark::State& state, const EngineCase& c) {
  Opened* opened = nullptr;
  if (!Prepare(state, c, opened)) {
    return;
  }
  const std::vector<Task> questions = QuestionsOf(c);
  engine::StageProfile* const profile = opened != nullptr ? opened->profile.get() : nullptr;
  if (profile != nullptr) {
    profile->Clear();
  }
  Took sum;
  bool first = true;
  for ([[maybe_unused]] auto _ : state) {
    Took took;
    try {
      took = c.start ? StartAndAsk(ThePool(), c, questions) : Ask(*opened->engine, c, questions);
    } catch (const std::runtime_error& error) {
      state.SkipWithError(error.what());
      return;
    }
    if (!first && sum.hash != took.hash) {
      state.SkipWithError("invalid: the same request gave other logits");
      return;
    }
    first = false;
    sum.hash = took.hash;
    sum.Add(took);
    for (const double gap : took.gaps) {
      token_gaps.Add(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(gap)));
    }
    state.SetIterationTime(took.timed);
  }
  Report(state, c, sum);
  token_gaps.Report(state);
  if (profile != nullptr) {
    ReportProfile(state, *profile);
  }
}

// Reads and writes kCopyBytes together.
void Copy(benchmark::State& state) {
  static std::vector<char> from(kCopyBytes / 2, 1), to(kCopyBytes / 2, 2);
  for ([[maybe_unused]] auto _ : state) {
    std::memcpy(to.data(), from.data(), to.size());
    benchmark::ClobberMemory();
  }
}

const bool kRegistered = [] {
  DeclareMetric("ttft", "s", Direction::kLower, Kind::kTime);
  DeclareMetric("tpot", "s", Direction::kLower, Kind::kTime);
  DeclareMetric("score", "", Direction::kHigher, Kind::kScore);
  perfgate::bench::DeclareResultDigest();
  for (const auto& [stage, name] : engine::kOpStages) {
    DeclareMetric(StageCounter(name).c_str(), "s", Direction::kLower, Kind::kTime);
  }
  DeclareMetric("open", "s", Direction::kLower, Kind::kTime);
  DeclareMetric("request", "s", Direction::kLower, Kind::kTime);
  for (std::size_t i = 0; i < kStartStages.size(); ++i) {
    DeclareMetric(StartCounter(i).c_str(), "s", Direction::kLower, Kind::kTime);
  }
  if (kCopyBytes > 0) {
    const std::string copy = CopyCaseName(kCopyBytes);
    benchmark::RegisterBenchmark(copy.c_str(), &Copy)->Unit(benchmark::kMicrosecond)->UseRealTime();
    perfgate::bench::DeclareWork(copy, {.bytes = static_cast<double>(kCopyBytes)});
  }
  for (const EngineCase& c : TheCases()) {
    const std::string name = c.name();
    benchmark::RegisterBenchmark(name.c_str(), [c](benchmark::State& state) { Measure(state, c); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
    perfgate::bench::DeclareWork(name, WorkOf(c, kCopyBytes));
  }
  return true;
}();

}  // namespace
}  // namespace suites
