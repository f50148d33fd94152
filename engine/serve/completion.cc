// SPDX-License-Identifier: Apache-2.0
// The way out: answers, chunks of a stream, errors.
#include "engine/serve/completion.h"

#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/utf8.h"

namespace engine {
namespace {

using nlohmann::ordered_json;

std::string_view ErrorTypeOf(int status) {
  return status >= 500 ? "server_error" : "invalid_request_error";
}

std::string_view FinishReason(Finish finish) {
  switch (finish) {
    case Finish::kStop:
      return "stop";
    case Finish::kCancelled:
    case Finish::kNotFinite:  // told as an error
      return "abort";
    case Finish::kLength:
    case Finish::kContext:
      break;
  }
  return "length";
}

ordered_json LogprobsJson(const ChoicePiece& piece) {
  ordered_json root = {{"tokens", piece.token_texts},
                       {"token_logprobs", ordered_json::array()},
                       {"top_logprobs", nullptr},
                       {"entropy", ordered_json::array()},
                       {"margin", ordered_json::array()}};
  for (const Uncertainty& u : piece.uncertainty) {
    root["token_logprobs"].push_back(u.log_probability);
    root["entropy"].push_back(u.entropy);
    root["margin"].push_back(u.margin);
  }
  return root;
}

ordered_json HeadJson(const CompletionHead& head) {
  return {{"id", head.id},
          {"object", "text_completion"},
          {"created", head.created},
          {"model", head.model},
          {"choices", ordered_json::array()}};
}

}  // namespace

ordered_json ToJson(const ApiError& error) {
  const auto or_null = [](const std::string& text) {
    return text.empty() ? ordered_json() : ordered_json(text);
  };
  return {{"error",
           {{"message", perfgate::well_formed_utf8(error.what())},
            {"type", ErrorTypeOf(error.status())},
            {"param", or_null(error.param())},
            {"code", or_null(error.code())}}}};
}

ordered_json ToJson(const Usage& usage) {
  return {{"prompt_tokens", usage.prompt_tokens},
          {"completion_tokens", usage.completion_tokens},
          {"total_tokens", usage.prompt_tokens + usage.completion_tokens}};
}

ordered_json ToJson(const ChoicePiece& piece, const CompletionRequest& request) {
  ordered_json choice = {
      {"text", piece.text},
      {"index", piece.index},
      {"logprobs", request.logprobs ? LogprobsJson(piece) : ordered_json()},
      {"finish_reason", piece.finish ? ordered_json(FinishReason(*piece.finish)) : ordered_json()}};
  if (request.token_ids) {
    choice["token_ids"] = piece.ids;
  }
  return choice;
}

ordered_json CompletionJson(const CompletionHead& head, const CompletionRequest& request,
                            std::span<const ChoicePiece> choices, const Usage& usage) {
  ordered_json root = HeadJson(head);
  for (const ChoicePiece& choice : choices) {
    root["choices"].push_back(ToJson(choice, request));
  }
  root["usage"] = ToJson(usage);
  return root;
}

ordered_json ChunkJson(const CompletionHead& head, const CompletionRequest& request,
                       const ChoicePiece& piece) {
  ordered_json root = HeadJson(head);
  root["choices"].push_back(ToJson(piece, request));
  if (request.include_usage) {
    root["usage"] = nullptr;
  }
  return root;
}

ordered_json UsageChunkJson(const CompletionHead& head, const Usage& usage) {
  ordered_json root = HeadJson(head);
  root["usage"] = ToJson(usage);
  return root;
}

std::string ServerSentEvent(const ordered_json& data) { return "data: " + data.dump() + "\n\n"; }

std::string TokenText(std::string_view bytes) {
  if (perfgate::well_formed_utf8(bytes) == bytes) {
    return std::string(bytes);
  }
  std::string text = "bytes:";
  for (const char byte : bytes) text += perfgate::EscapedByte(byte);
  return text;
}

}  // namespace engine
