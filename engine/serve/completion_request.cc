// SPDX-License-Identifier: Apache-2.0
// The way in: what a request asks for, field by field.
#include <algorithm>
#include <array>
#include <utility>

#include "engine/error.h"
#include "engine/serve/completion.h"
#include "engine/serve/request_fields.h"
#include "kernels/top_k.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/utf8.h"

namespace engine {
namespace {

using fields::Bool;
using fields::Find;
using fields::Ids;
using fields::Integer;
using fields::Number;
using fields::Refuse;
using fields::Shown;
using nlohmann::json;
using Encode = std::function<std::vector<std::int32_t>(std::string_view)>;

constexpr std::int64_t kDefaultMaxTokens = 16;
constexpr std::size_t kMaxStops = 16;
constexpr double kMaxTemperature = 2;  // as OpenAI; more is noise

constexpr std::array<std::string_view, 22> kFields = {
    "model",      "prompt",         "max_tokens", "temperature",       "top_p",
    "top_k",      "seed",           "stop",       "stop_token_ids",    "ignore_eos",
    "stream",     "stream_options", "logprobs",   "return_token_ids",  "user",
    "n",          "best_of",        "echo",       "frequency_penalty", "presence_penalty",
    "logit_bias", "suffix"};

std::vector<std::int32_t> OnePrompt(const json& value, const CompletionLimits& limits,
                                    const Encode& encode) {
  std::vector<std::int32_t> ids;
  if (value.is_string()) {
    if (!limits.text) {
      Refuse("prompt", "this model has no tokenizer that the server knows; give token ids");
    }
    ids = encode(value.get_ref<const std::string&>());
  } else {
    ids = Ids(value, "prompt", limits.vocab);
  }
  if (ids.empty()) {
    Refuse("prompt", "is empty; a first token needs one to follow");
  }
  return ids;
}

std::vector<std::vector<std::int32_t>> Prompts(const json& root, const CompletionLimits& limits,
                                               const Encode& encode) {
  const json* const value = Find(root, "prompt");
  if (value == nullptr) {
    Refuse("prompt", "is missing");
  }
  const auto all = [&](const auto& is) {
    return value->is_array() && !value->empty() && std::all_of(value->begin(), value->end(), is);
  };
  const bool texts = all([](const json& one) { return one.is_string(); });
  const bool lists = all([](const json& one) { return one.is_array(); });
  std::vector<std::vector<std::int32_t>> prompts;
  if (texts || lists) {
    if (value->size() > static_cast<std::size_t>(limits.prompts)) {
      Refuse("prompt", std::to_string(value->size()) +
                           " prompts at once, but the server's batch is " +
                           std::to_string(limits.prompts));
    }
    for (const json& one : *value) {
      prompts.push_back(OnePrompt(one, limits, encode));
    }
  } else if (value->is_string() ||
             (value->is_array() && (value->empty() || !value->front().is_string()))) {
    prompts.push_back(OnePrompt(*value, limits, encode));
  } else {
    Refuse("prompt", "expected a string, token ids, or a list of either, got " + Shown(*value));
  }
  return prompts;
}

std::vector<std::string> Stops(const json& root, const CompletionLimits& limits) {
  const json* const value = Find(root, "stop");
  if (value == nullptr) {
    return {};
  }
  const json list = value->is_string() ? json::array({*value}) : *value;
  if (!list.is_array() || list.size() > kMaxStops) {
    Refuse("stop", "expected a string or a list of at most " + std::to_string(kMaxStops) +
                       ", got " + Shown(*value));
  }
  std::vector<std::string> stops;
  for (const json& stop : list) {
    if (!stop.is_string() || stop.get_ref<const std::string&>().empty()) {
      Refuse("stop", "expected strings that are not empty, got " + Shown(stop));
    }
    stops.push_back(stop.get<std::string>());
  }
  if (!stops.empty() && !limits.text) {
    Refuse("stop", "this model has no tokenizer that the server knows; use stop_token_ids");
  }
  return stops;
}

std::uint64_t Seed(const json& root, std::uint64_t otherwise) {
  const json* const value = Find(root, "seed");
  if (value == nullptr) {
    return otherwise;
  }
  if (value->is_number_unsigned()) {
    return value->get<std::uint64_t>();
  }
  if (!value->is_number_integer()) {
    Refuse("seed", "expected an integer of 64 bits, got " + Shown(*value));
  }
  return static_cast<std::uint64_t>(value->get<std::int64_t>());  // two's complement
}

// Known to OpenAI, not implemented: the default, or null, and nothing else.
void CheckDefaults(const json& root) {
  const auto only = [&](const std::string& field, const json& value, const std::string& why = "") {
    const json* const given = Find(root, field);
    if (given != nullptr && *given != value) {
      Refuse(field, "only " + value.dump() + " is implemented, got " + Shown(*given) + why);
    }
  };
  only("n", 1, "; send the prompt several times");
  only("best_of", 1);
  only("echo", false);
  only("frequency_penalty", 0);
  only("presence_penalty", 0);
  only("logit_bias", json::object());
  only("suffix", "");
}

void CheckModelName(const json& root, const std::string& model) {
  const json* const value = Find(root, "model");
  if (value == nullptr) {
    return;
  }
  if (!value->is_string()) {
    Refuse("model", "expected a string, got " + Shown(*value));
  }
  if (value->get_ref<const std::string&>() != model) {
    throw ApiError(404,
                   "model: " + Shown(*value) + " is not here; this server has \"" + model + "\"",
                   "model", "model_not_found");
  }
}

void ReadStreaming(const json& root, CompletionRequest& parsed) {
  parsed.stream = Bool(root, "stream");
  const json* const options = Find(root, "stream_options");
  if (options == nullptr) {
    return;
  }
  if (!parsed.stream) {
    Refuse("stream_options", "only with \"stream\": true");
  }
  if (!options->is_object()) {
    Refuse("stream_options", "expected an object, got " + Shown(*options));
  }
  for (const auto& [key, value] : options->items()) {
    if (key != "include_usage" || !(value.is_boolean() || value.is_null())) {
      Refuse("stream_options",
             "expected {\"include_usage\": true or false}, got " + Shown(*options));
    }
    parsed.include_usage = value == true;
  }
}

bool Logprobs(const json& root, const CompletionLimits& limits) {
  const json* const value = Find(root, "logprobs");
  if (value == nullptr) {
    return false;
  }
  if (*value != 0 || !value->is_number_integer()) {
    Refuse("logprobs", "only 0, that of the token itself, is implemented, got " + Shown(*value));
  }
  if (!limits.uncertainty) {
    Refuse("logprobs", "this server runs without them; start it with --uncertainty=on");
  }
  return true;
}

json ParseBody(const std::string& body) {
  try {
    json root = perfgate::parse_strict_json(body, "the body");
    if (!root.is_object()) {
      throw ApiError(400, "the body: expected a JSON object, got " + Shown(root));
    }
    return root;
  } catch (const Error& error) {
    throw ApiError(400, error.what());
  }
}

// The tokens to generate, given what the prompt leaves of the context.
std::int64_t MaxTokens(const json& root, std::int64_t prompt, std::int64_t context) {
  const bool given = Find(root, "max_tokens") != nullptr;
  const std::int64_t wanted = Integer(root, "max_tokens", kDefaultMaxTokens, 1, context);
  const std::int64_t room = context - prompt;
  if (room < 1 || (given && wanted > room)) {
    const std::string field = room < 1 ? "prompt" : "max_tokens";
    throw ApiError(400,
                   field + ": the prompt has " + std::to_string(prompt) +
                       " tokens and max_tokens is " + std::to_string(wanted) +
                       ", together more than the context of " + std::to_string(context),
                   field, "context_length_exceeded");
  }
  return std::min(wanted, room);
}

}  // namespace

CompletionRequest ParseCompletion(const std::string& body, const CompletionLimits& limits,
                                  const Encode& encode) {
  const json root = ParseBody(body);
  for (const auto& [field, value] : root.items()) {
    if (std::find(kFields.begin(), kFields.end(), field) == kFields.end()) {
      throw ApiError(400, Shown(field) + ": unknown field",
                     perfgate::well_formed_utf8(field.substr(0, 64)), "unknown_parameter");
    }
  }
  CheckModelName(root, limits.model);
  CheckDefaults(root);

  CompletionRequest parsed;
  ReadStreaming(root, parsed);
  parsed.logprobs = Logprobs(root, limits);
  parsed.token_ids = Bool(root, "return_token_ids") || !limits.text;
  parsed.stops = Stops(root, limits);
  if (const json* const user = Find(root, "user"); user != nullptr && !user->is_string()) {
    Refuse("user", "expected a string, got " + Shown(*user));
  }

  Request request;
  request.temperature = Number(root, "temperature", 1, 0, kMaxTemperature, "a number from 0 to 2");
  // The least is above 0 as a float, too.
  request.top_p = Number(root, "top_p", 1, 1e-6, 1, "a number from 0.000001 to 1");
  request.top_k = static_cast<std::int32_t>(Integer(root, "top_k", 0, 0, kernels::kMaxTopK));
  request.seed = Seed(root, limits.seed);
  request.ignore_eos = Bool(root, "ignore_eos");
  if (const json* const ids = Find(root, "stop_token_ids"); ids != nullptr) {
    if (!ids->is_array()) {
      Refuse("stop_token_ids", "expected a list of token ids, got " + Shown(*ids));
    }
    request.stop_ids = Ids(*ids, "stop_token_ids", limits.vocab);
  }
  for (std::vector<std::int32_t>& prompt : Prompts(root, limits, encode)) {
    request.max_tokens = MaxTokens(root, static_cast<std::int64_t>(prompt.size()), limits.context);
    request.prompt = std::move(prompt);
    parsed.requests.push_back(request);
  }
  return parsed;
}

}  // namespace engine
