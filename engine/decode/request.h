// SPDX-License-Identifier: Apache-2.0
// request.h: what an engine is asked, and what it answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/decode/metrics.h"
#include "engine/ops/shapes.h"

namespace engine {

struct Request {
  std::vector<std::int32_t> prompt;
  std::int64_t max_tokens = 16;
  float temperature = 0;   // 0: greedy
  std::int32_t top_k = 0;  // 0: the 1024 likeliest, or all of a smaller vocabulary
  float top_p = 1;
  std::uint64_t seed = 1;
  std::vector<std::int32_t> stop_ids;  // end the text and are not part of it
  bool ignore_eos = false;             // end tokens of the model are tokens like others
};

enum class Finish : std::uint8_t { kLength, kStop, kContext, kCancelled, kNotFinite };
// "length": max_tokens; "context": the cache is full; "not_finite": the logits after the tokens so
// far are NaN, and no token follows from them
std::string_view Name(Finish finish);

struct Result {
  std::vector<std::int32_t> tokens;
  std::vector<Uncertainty> uncertainty;  // of each, with the option `uncertainty`
  Finish finish = Finish::kLength;
  RequestTimes times;
  std::uint64_t logits_hash = 0;  // FNV-1a over the bits of the last logits
};

// Called for each token as soon as the host has it; false ends that request.
struct TokenEvent {
  std::size_t request = 0;  // index in the batch
  std::int32_t token = 0;
  const Uncertainty* uncertainty = nullptr;  // with the option
};
using OnToken = std::function<bool(const TokenEvent&)>;
// Called when a request has ended, while others of its batch may go on.
using OnEnd = std::function<void(std::size_t request, const Result&)>;

// What prompts are checked against.
struct PromptLimits {
  std::int64_t vocab = 1;     // ids are below
  std::int64_t capacity = 1;  // positions of a sequence
};

// Adds everything for which the prompt or the request cannot be served to `problems`, each behind
// `where`.
void CheckPrompt(std::span<const std::int32_t> prompt, const PromptLimits& limits,
                 const std::string& where, std::vector<std::string>& problems);
void CheckRequest(const Request& request, const PromptLimits& limits, const std::string& where,
                  std::vector<std::string>& problems);

}  // namespace engine
