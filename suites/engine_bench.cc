// SPDX-License-Identifier: Apache-2.0
// engine_bench: warm prompts and generation of the engine, at the cases of engine_cases.h.
//
// real_time of pp is the time to the first token, of tg the time from the first token to the last,
// of both together the whole request. Metrics beside it: ttft, tpot, and of profiled cases the time
// in each stage of the decoder. An iteration that gives another number of tokens than the case
// names, or other logits than the one before, ends the case.
//
// Counters: prompt_tokens and tokens of a request, and logits_hash, the low 52 bits of
// Result::logits_hash: two executables that print the same one computed the same bits.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/metrics.h"
#include "perfgate/bench/metrics.h"
#include "suites/engine_cases.h"
#include "suites/engine_models.h"
#include "suites/engine_wrap.h"

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

std::string StageCounter(std::size_t stage) {
  return "stage_" + std::string(engine::kOpStages[stage]);
}

EnginePool& ThePool() {
  static EnginePool pool(WrapOfSuite());
  return pool;
}

// What is timed of a request.
double Timed(const EngineCase& c, const engine::RequestMetrics& metrics) {
  if (c.prompt == 0) {
    return metrics.full - metrics.ttft;
  }
  return c.generated == 0 ? metrics.ttft : metrics.full;
}

// What is wrong with a result, empty where nothing is. hash: of the iteration before, 0 for none.
std::string Complaint(const EngineCase& c, const engine::Result& result, std::uint64_t hash) {
  if (static_cast<std::int64_t>(result.tokens.size()) != c.max_tokens()) {
    return "the case is of " + std::to_string(c.max_tokens()) + " tokens, the engine gave " +
           std::to_string(result.tokens.size());
  }
  if (hash != 0 && hash != result.logits_hash) {
    return "invalid: the same request gave other logits";
  }
  return {};
}

void Measure(benchmark::State& state, const EngineCase& c) {
  Opened& opened = ThePool().Open(c);
  engine::Request request;
  request.prompt = PromptTokens(c.prompt_tokens(), opened.engine->config().vocab);
  request.max_tokens = c.max_tokens();
  request.ignore_eos = true;
  if (opened.profile) {
    opened.profile->Clear();
  }
  double ttft = 0, tpot = 0;
  std::uint64_t hash = 0;
  for ([[maybe_unused]] auto _ : state) {
    const engine::Result result = opened.engine->Generate({&request, 1})[0];
    if (const std::string wrong = Complaint(c, result, hash); !wrong.empty()) {
      state.SkipWithError(wrong.c_str());
      return;
    }
    const engine::RequestMetrics metrics = engine::MetricsOf(result.times);
    hash = result.logits_hash;
    ttft += metrics.ttft;
    tpot += metrics.tpot.value_or(0);
    state.SetIterationTime(Timed(c, metrics));
  }
  const auto count = static_cast<double>(state.iterations());
  if (c.prompt > 0) {
    state.counters["ttft"] = ttft / count;
  }
  if (c.generated > 0) {
    state.counters["tpot"] = tpot / count;
  }
  if (opened.profile) {
    for (std::size_t i = 0; i < engine::kOpStages.size(); ++i) {
      state.counters[StageCounter(i)] =
          opened.profile->seconds(static_cast<engine::OpStage>(i)) / count;
    }
  }
  state.counters["prompt_tokens"] = static_cast<double>(c.prompt_tokens());
  state.counters["tokens"] = static_cast<double>(c.max_tokens());
  state.counters["logits_hash"] = static_cast<double>(hash & ((std::uint64_t{1} << 52U) - 1));
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
  for (std::size_t i = 0; i < engine::kOpStages.size(); ++i) {
    DeclareMetric(StageCounter(i).c_str(), "s", Direction::kLower, Kind::kTime);
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
