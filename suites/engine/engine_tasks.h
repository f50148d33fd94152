// SPDX-License-Identifier: Apache-2.0
// engine_tasks.h: questions with exact answers, so that speed is judged with what it was bought
// with.
//
// The model is a peaked one (engine/model/synth.h): after token t its likeliest token is p(t),
// where p is a permutation that the seed gives. A task is a prompt of random tokens whose last one
// is t; the answer is p(t), p(p(t)), ... The score is the share of answered tokens that are right,
// each compared with its place in that sequence: 1 for every engine that computes what it should.
//
// What it finds: heads, embeddings, norms, sampling and steps that go wrong. What it hardly finds:
// small errors, and attention that is wrong in itself, since the answer is in the last token and
// wins by a wide margin. result_digest finds those where an option is to change no bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "suites/engine/engine_cases.h"

namespace suites {

struct Task {
  std::vector<std::int32_t> prompt;
  std::vector<std::int32_t> answer;
};

// The tasks of a case with `follow`: kTasks of them, with prompts of kTaskPrompt tokens.
std::vector<Task> TasksOf(const EngineCase& c);

// Tokens of `given` that are what `answer` has in the same place.
std::int64_t RightTokens(std::span<const std::int32_t> given, std::span<const std::int32_t> answer);

}  // namespace suites
