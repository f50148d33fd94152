// SPDX-License-Identifier: Apache-2.0
// engine_bench: warm prompts and generation of the engine, at the cases of engine_cases.h.
//
// real_time of pp is the time to the first token, of tg the time from the first token to the last,
// of both together the whole request. Metrics beside it: ttft, tpot, and of profiled cases the time
// in each stage of the decoder that ran: which those are depends on what the device fuses. An
// iteration that gives another number of tokens than the case names, or other logits than the one
// before, ends the case.
//
// Cases with tasks (engine_tasks.h) time all of them, with ttft and tpot of the mean task, and have
// a `score` beside: a faster engine that answers worse is no better.
//
// Counters: prompt_tokens and tokens of a request, and result_digest, 52 bits of a hash over the
// tokens and Result::logits_hash of every request: two executables that print the same one computed
// the same bits. perfgate ablate holds cases to it that differ in nothing but options that keep
// every bit.
#include <benchmark/benchmark.h>

#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/hash.h"
#include "engine/metrics.h"
#include "perfgate/bench/metrics.h"
#include "perfgate/bench/run_folder.h"
#include "suites/engine_cases.h"
#include "suites/engine_models.h"
#include "suites/engine_tasks.h"
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
  static EnginePool pool(WrapOfSuite, perfgate::bench::RunFolder());
  return pool;
}

// What is timed of a request.
double Timed(const EngineCase& c, const engine::RequestMetrics& metrics) {
  if (c.prompt == 0 && c.follow == 0) {
    return metrics.full - metrics.ttft;
  }
  return c.prompt > 0 && c.generated == 0 ? metrics.ttft : metrics.full;
}

// What an iteration asks, one after the other: the tasks, or one request that has no right answer.
std::vector<Task> QuestionsOf(const EngineCase& c, std::int64_t vocab) {
  return c.follow > 0 ? TasksOf(c)
                      : std::vector<Task>{{PromptTokens(c.prompt_tokens(), vocab), {}}};
}

// Of one iteration, summed over its requests.
struct Sums {
  double timed = 0, ttft = 0, tpot = 0;
  std::int64_t right = 0;
  std::uint64_t hash = engine::kFnvStart;  // over tokens and logits_hash
};

// Throws with what is wrong where a request gives another number of tokens than the case names.
Sums Ask(engine::Engine& engine, const EngineCase& c, std::span<const Task> questions) {
  Sums sums;
  engine::Request request;
  request.max_tokens = c.max_tokens();
  request.ignore_eos = true;
  for (const Task& question : questions) {
    request.prompt = question.prompt;
    const engine::Result result = engine.Generate({&request, 1})[0];
    if (static_cast<std::int64_t>(result.tokens.size()) != c.max_tokens()) {
      throw std::runtime_error("the case is of " + std::to_string(c.max_tokens()) +
                               " tokens, the engine gave " + std::to_string(result.tokens.size()));
    }
    const engine::RequestMetrics metrics = engine::MetricsOf(result.times);
    sums.timed += Timed(c, metrics);
    sums.ttft += metrics.ttft;
    sums.tpot += metrics.tpot.value_or(0);
    sums.right += RightTokens(result.tokens, question.answer);
    sums.hash = engine::Fnv1a(std::as_bytes(std::span(result.tokens)), sums.hash);
    sums.hash = engine::Fnv1a(std::to_string(result.logits_hash), sums.hash);
  }
  return sums;
}

// Null where the engine cannot be had, which ends the case.
Opened* TryOpen(benchmark::State& state, const EngineCase& c) {
  try {
    return &ThePool().Open(c);
  } catch (const std::runtime_error& error) {
    state.SkipWithError(error.what());
    return nullptr;
  }
}

void Measure(benchmark::State& state, const EngineCase& c) {
  Opened* const found = TryOpen(state, c);
  if (found == nullptr) {
    return;
  }
  Opened& opened = *found;
  const std::vector<Task> questions = QuestionsOf(c, opened.engine->config().vocab);
  if (opened.profile) {
    opened.profile->Clear();
  }
  double ttft = 0, tpot = 0;
  std::int64_t right = 0;
  std::optional<std::uint64_t> hash;
  for ([[maybe_unused]] auto _ : state) {
    Sums sums;
    try {
      sums = Ask(*opened.engine, c, questions);
    } catch (const std::runtime_error& error) {
      state.SkipWithError(error.what());
      return;
    }
    if (hash && *hash != sums.hash) {
      state.SkipWithError("invalid: the same request gave other logits");
      return;
    }
    hash = sums.hash;
    ttft += sums.ttft;
    tpot += sums.tpot;
    right += sums.right;
    state.SetIterationTime(sums.timed);
  }
  const auto iterations = static_cast<double>(state.iterations());
  const double requests = iterations * static_cast<double>(questions.size());
  if (c.prompt > 0 || c.follow > 0) {
    state.counters["ttft"] = ttft / requests;
  }
  if (c.generated > 0 || c.follow > 0) {
    state.counters["tpot"] = tpot / requests;
  }
  if (c.follow > 0) {
    state.counters["score"] =
        static_cast<double>(right) / (requests * static_cast<double>(c.follow));
  }
  if (opened.profile) {
    for (std::size_t i = 0; i < engine::kOpStages.size(); ++i) {
      const auto stage = static_cast<engine::OpStage>(i);
      if (opened.profile->ran(stage)) {
        state.counters[StageCounter(i)] = opened.profile->seconds(stage) / iterations;
      }
    }
  }
  state.counters["prompt_tokens"] = static_cast<double>(c.prompt_tokens());
  state.counters["tokens"] = static_cast<double>(c.max_tokens());
  state.counters["result_digest"] =
      static_cast<double>(hash.value_or(0) & ((std::uint64_t{1} << 52U) - 1));
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
