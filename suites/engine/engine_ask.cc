// SPDX-License-Identifier: Apache-2.0
#include "suites/engine/engine_ask.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "engine/decode/metrics.h"

namespace suites {
namespace {

// What is timed of a request.
double Timed(const EngineCase& c, const engine::RequestMetrics& metrics) {
  if (c.prompt == 0 && c.follow == 0 && !c.start) {
    return metrics.full - metrics.ttft;
  }
  return c.prompt > 0 && c.generated == 0 ? metrics.ttft : metrics.full;
}

std::size_t StageIndex(std::string_view name) {
  const auto* const found =
      std::find(kStartStages.begin(), kStartStages.end(), name.substr(0, name.find('+')));
  if (found == kStartStages.end()) {
    throw std::logic_error("engine_ask: an opening has a stage \"" + std::string(name) +
                           "\", which kStartStages does not name");
  }
  return static_cast<std::size_t>(found - kStartStages.begin());
}

}  // namespace

void Took::Add(const Took& other) {
  timed += other.timed;
  ttft += other.ttft;
  tpot += other.tpot;
  open += other.open;
  request += other.request;
  right += other.right;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (other.stages[i]) {
      stages[i] = stages[i].value_or(0) + *other.stages[i];
    }
  }
}

std::vector<Task> QuestionsOf(const EngineCase& c) {
  return c.follow > 0
             ? TasksOf(c)
             : std::vector<Task>{{PromptTokens(c.prompt_tokens(), ModelSpec(c).config.vocab), {}}};
}

Took Ask(engine::Engine& engine, const EngineCase& c, std::span<const Task> questions) {
  Took took;
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
    took.timed += Timed(c, metrics);
    took.ttft += metrics.ttft;
    took.tpot += metrics.tpot.value_or(0);
    took.gaps.insert(took.gaps.end(), metrics.itl.begin(), metrics.itl.end());
    took.right += RightTokens(result.tokens, question.answer);
    took.hash = engine::Fnv1a(std::as_bytes(std::span(result.tokens)), took.hash);
    took.hash = engine::Fnv1a(std::to_string(result.logits_hash), took.hash);
  }
  return took;
}

Took StartAndAsk(EnginePool& pool, const EngineCase& c, std::span<const Task> questions) {
  const Started started = pool.Start(c);
  Took took = Ask(*started.engine, c, questions);
  took.request = took.timed;
  took.open = started.stages.total();
  took.timed += took.open;
  for (const engine::StageTimer::Stage& stage : started.stages.stages()) {
    took.stages[StageIndex(stage.name)] = stage.seconds;
  }
  return took;
}

}  // namespace suites
