// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/workload_reason.h"

#include <algorithm>
#include <initializer_list>

namespace perfgate::inline verdict {

std::string_view workload_reason(std::string_view field) {
  field = field.substr(0, field.find(':'));
  const auto has = [field](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [field](std::string_view word) {
      return field.find(word) != std::string_view::npos;
    });
  };
  if (has({"token", "input_len", "output_len", "prompts", "requests", "num_"})) {
    return has({"tokenizer"}) ? "model_mismatch" : "token_budget_mismatch";
  }
  if (has({"model", "quant", "dtype"})) return "model_mismatch";
  if (has({"mode", "backend"})) return "mode_mismatch";
  return "workload_mismatch";
}

}  // namespace perfgate::inline verdict
