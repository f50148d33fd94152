// SPDX-License-Identifier: Apache-2.0
// engine_ask.h: one iteration of a case of the engine suite: what it asks, and how long that took.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/hash.h"
#include "suites/engine/engine_cases.h"
#include "suites/engine/engine_models.h"
#include "suites/engine/engine_tasks.h"

namespace suites {

// Stages of an opening: the names that engine::Engine gives to its StageTimer, up to the '+'.
inline constexpr std::array<std::string_view, 5> kStartStages = {"config", "device", "weights",
                                                                 "cache", "prebuild"};

// Seconds of one iteration, summed over its requests.
struct Took {
  double timed = 0;  // what the case is about
  double ttft = 0, tpot = 0;
  double open = 0, request = 0;                                     // of a start
  std::array<std::optional<double>, kStartStages.size()> stages{};  // those of it that ran
  std::vector<double> gaps;                                         // between tokens, all of them
  std::int64_t right = 0;                                           // tokens of tasks
  std::uint64_t hash = engine::kFnvStart;                           // over tokens and logits_hash

  // Sums all but the gaps and the hash, which stay.
  void Add(const Took& other);
};

// What an iteration asks, one after the other: the tasks, or one request that has no right answer.
std::vector<Task> QuestionsOf(const EngineCase& c);

// Both throw std::runtime_error with what is wrong where a request gives another number of tokens
// than the case names.
Took Ask(engine::Engine& engine, const EngineCase& c, std::span<const Task> questions);
// The model is there already: EnginePool::Model(). Closing the engine is no part of `timed`.
Took StartAndAsk(EnginePool& pool, const EngineCase& c, std::span<const Task> questions);

}  // namespace suites
