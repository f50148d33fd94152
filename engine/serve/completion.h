// SPDX-License-Identifier: Apache-2.0
// completion.h: the JSON of POST /v1/completions, both ways, in OpenAI's shape.
//
// Pure functions of text: nothing here knows HTTP, the queue or the engine. A field that this
// server does not know is refused, as OpenAI refuses it: a misspelt "max_token" must not become a
// default. Fields that it knows but does not implement are accepted at their default only.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/decode/engine.h"

namespace engine {

// What an answer with an error status says.
class ApiError : public std::runtime_error {
 public:
  // param: the field at fault; code: for programs. Empty: null.
  ApiError(int status, const std::string& message, std::string param = "", std::string code = "")
      : std::runtime_error(message),
        status_(status),
        param_(std::move(param)),
        code_(std::move(code)) {}

  int status() const { return status_; }
  const std::string& param() const { return param_; }
  const std::string& code() const { return code_; }

 private:
  int status_;
  std::string param_, code_;
};

// {"error": {"message", "type", "param", "code"}}; the type follows from the status.
nlohmann::ordered_json ToJson(const ApiError& error);

// What requests are checked against.
struct CompletionLimits {
  std::string model;         // the name that requests use
  std::int64_t vocab = 1;    // ids are below
  std::int64_t context = 1;  // tokens of prompt and answer together
  std::int64_t prompts = 1;  // of one request
  bool text = false;         // there is a tokenizer
  bool uncertainty = false;  // log-probabilities are there
  std::uint64_t seed = 1;    // of requests that name none
};

struct CompletionRequest {
  std::vector<Request> requests;   // one per prompt; alike but for it
  std::vector<std::string> stops;  // texts
  bool stream = false;
  bool include_usage = false;  // a last chunk with the counts
  bool logprobs = false;
  bool token_ids = false;  // choices hold them
};

// Throws ApiError(400), or 404 for another model, naming the field. `encode` turns text into ids.
CompletionRequest ParseCompletion(
    const std::string& body, const CompletionLimits& limits,
    const std::function<std::vector<std::int32_t>(std::string_view)>& encode);

// A piece of a choice, or all of it.
struct ChoicePiece {
  std::size_t index = 0;
  std::string text;
  std::vector<std::int32_t> ids;
  std::vector<std::string> token_texts;  // of each id, where log-probabilities are asked for
  std::vector<Uncertainty> uncertainty;  // likewise
  std::optional<Finish> finish;          // at its end
};

struct Usage {
  std::int64_t prompt_tokens = 0, completion_tokens = 0;
};
nlohmann::ordered_json ToJson(const Usage& usage);

// The fields that an answer and all chunks of a stream share.
struct CompletionHead {
  std::string id, model;
  std::int64_t created = 0;  // seconds since 1970
};

nlohmann::ordered_json ToJson(const ChoicePiece& piece, const CompletionRequest& request);

// A whole answer.
nlohmann::ordered_json CompletionJson(const CompletionHead& head, const CompletionRequest& request,
                                      std::span<const ChoicePiece> choices, const Usage& usage);

// A chunk of a stream: a piece, or, with include_usage, the counts at the end.
nlohmann::ordered_json ChunkJson(const CompletionHead& head, const CompletionRequest& request,
                                 const ChoicePiece& piece);
nlohmann::ordered_json UsageChunkJson(const CompletionHead& head, const Usage& usage);

// "data: {...}\n\n"
std::string ServerSentEvent(const nlohmann::ordered_json& data);

// Bytes as JSON text can hold them: themselves, or OpenAI's "bytes:\xe2\x82" where they are not
// whole characters.
std::string TokenText(std::string_view bytes);

}  // namespace engine
