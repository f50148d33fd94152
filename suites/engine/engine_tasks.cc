// SPDX-License-Identifier: Apache-2.0
#include "suites/engine/engine_tasks.h"

#include <algorithm>

#include "engine/model/synth.h"
#include "suites/engine/engine_models.h"

namespace suites {

std::vector<Task> TasksOf(const EngineCase& c) {
  const engine::SynthSpec spec = ModelSpec(c);
  const std::vector<std::int32_t> tokens = PromptTokens(kTasks * kTaskPrompt, spec.config.vocab);
  std::vector<Task> tasks;
  for (auto first = tokens.begin(); first != tokens.end(); first += kTaskPrompt) {
    Task task{{first, first + kTaskPrompt}, {}};
    std::int64_t token = task.prompt.back();
    for (std::int64_t i = 0; i < c.follow; ++i) {
      token = engine::PeakedSuccessor(spec, token);
      task.answer.push_back(static_cast<std::int32_t>(token));
    }
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::int64_t RightTokens(std::span<const std::int32_t> given,
                         std::span<const std::int32_t> answer) {
  std::int64_t right = 0;
  for (std::size_t i = 0; i < std::min(given.size(), answer.size()); ++i) {
    right += given[i] == answer[i] ? 1 : 0;
  }
  return right;
}

}  // namespace suites
