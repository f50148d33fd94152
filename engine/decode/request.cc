// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/request.h"

#include <cmath>

#include "kernels/top_k.h"

namespace engine {

std::string_view Name(Finish finish) {
  switch (finish) {
    case Finish::kLength:
      return "length";
    case Finish::kStop:
      return "stop";
    case Finish::kContext:
      return "context";
    case Finish::kCancelled:
      return "cancelled";
    case Finish::kNotFinite:
      break;
  }
  return "not_finite";
}

void CheckPrompt(std::span<const std::int32_t> prompt, const PromptLimits& limits,
                 const std::string& where, std::vector<std::string>& problems) {
  if (prompt.empty()) {
    problems.push_back(where + "the prompt is empty; a first token needs one to follow");
  }
  if (static_cast<std::int64_t>(prompt.size()) > limits.capacity) {
    problems.push_back(where + "the prompt has " + std::to_string(prompt.size()) +
                       " tokens, the context " + std::to_string(limits.capacity) +
                       "; raise max_seq");
  }
  for (const std::int32_t id : prompt) {
    if (id < 0 || id >= limits.vocab) {
      problems.push_back(where + "token id " + std::to_string(id) +
                         " is outside the vocabulary of " + std::to_string(limits.vocab));
      break;
    }
  }
}

void CheckRequest(const Request& request, const PromptLimits& limits, const std::string& where,
                  std::vector<std::string>& problems) {
  const auto refuse = [&](bool wrong, const std::string& what) {
    if (wrong) {
      problems.push_back(where + what);
    }
  };
  CheckPrompt(request.prompt, limits, where, problems);
  refuse(request.max_tokens < 1,
         "max_tokens is " + std::to_string(request.max_tokens) + ", expected at least 1");
  refuse(!(request.temperature >= 0) || std::isinf(request.temperature),
         "temperature is " + std::to_string(request.temperature) +
             ", expected 0 (greedy) or a finite number above it");
  refuse(request.top_k < 0 || request.top_k > kernels::kMaxTopK,
         "top_k is " + std::to_string(request.top_k) + ", expected 0 to " +
             std::to_string(kernels::kMaxTopK));
  refuse(!(request.top_p > 0 && request.top_p <= 1),
         "top_p is " + std::to_string(request.top_p) + ", expected a number above 0 and at most 1");
}

}  // namespace engine
