// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/server.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

namespace engine {
namespace {

using nlohmann::ordered_json;
using std::chrono::milliseconds;
using std::chrono::system_clock;

// How long a wait for a token lasts before the client is looked at.
constexpr milliseconds kPatience{50};

constexpr std::string_view kModels = "/v1/models";
constexpr std::string_view kCompletions = "/v1/completions";

HttpResponse Json(const ordered_json& root) {
  HttpResponse response;
  response.body = root.dump() + "\n";
  return response;
}

HttpResponse Refusal(const ApiError& error) {
  HttpResponse response = Json(ToJson(error));
  response.status = error.status();
  if (error.status() == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  return response;
}

std::int64_t UnixTime() {
  return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch())
      .count();
}

CompletionLimits LimitsOf(const Engine& engine, const std::string& model, bool text) {
  return {model, engine.config().vocab,        engine.capacity(),    engine.options().batch,
          text,  engine.options().uncertainty, engine.options().seed};
}

// The method of a path that there is; empty for another.
std::string_view MethodOf(std::string_view path) {
  if (path == "/health" || path == "/metrics" || path == kModels ||
      (path.starts_with(kModels) && path[kModels.size()] == '/')) {
    return "GET";
  }
  return path == kCompletions ? "POST" : "";
}

// A client's part in an answer. When it goes before the answer is complete, the places are given
// up; a response may be dropped before its stream began.
class Stake {
 public:
  Stake(Batcher& batcher, std::shared_ptr<Answer> answer)
      : batcher_(batcher), answer_(std::move(answer)) {}
  ~Stake() { Leave(); }
  Stake(const Stake&) = delete;
  Stake& operator=(const Stake&) = delete;

  void Leave() {
    if (!answer_->complete()) {
      answer_->GiveUp();
      batcher_.Sweep();
    }
  }

 private:
  Batcher& batcher_;
  const std::shared_ptr<Answer> answer_;
};

// Takes the pieces of an answer until it is complete, the client is gone, or `take` says false.
template <class Take>
void Drain(Answer& answer, const HttpPeer& peer, const Take& take) {
  while (!answer.complete() && !peer.gone()) {
    std::optional<ChoicePiece> piece = answer.Next(kPatience);
    if (piece && !take(std::move(*piece))) {
      return;
    }
  }
}

void Append(ChoicePiece& choice, ChoicePiece piece) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  choice.text += piece.text;
  append(choice.ids, piece.ids);
  append(choice.token_texts, piece.token_texts);
  append(choice.uncertainty, piece.uncertainty);
  if (piece.finish) {
    choice.finish = piece.finish;
  }
}

}  // namespace

Server::Server(Engine& engine, const ByteTokenizer* tokenizer, const std::string& model,
               std::size_t queue)
    : tokenizer_(tokenizer),
      limits_(LimitsOf(engine, model, tokenizer != nullptr)),
      started_(UnixTime()),
      next_id_(static_cast<std::uint64_t>(system_clock::now().time_since_epoch().count())),
      batcher_([&engine](std::span<const Request> requests, const OnToken& on_token,
                         const OnEnd& on_end) { engine.Generate(requests, on_token, on_end); },
               static_cast<std::size_t>(engine.options().batch), queue) {}

std::size_t Server::body_bytes() const {
  // An id of 7 digits with ", ", or a byte of text as \u0000, for each position of each prompt.
  constexpr std::size_t kBase = 64U << 10U, kPerPosition = 9;
  return kBase + kPerPosition * static_cast<std::size_t>(limits_.context * limits_.prompts);
}

HttpHandlers Server::Handlers() {
  return {
      [this](const HttpHead& head) { return Gate(head); },
      [this](const HttpRequest& request, const HttpPeer& peer) { return Handle(request, peer); },
      &Server::ErrorPage};
}

std::optional<HttpResponse> Server::Gate(const HttpHead& head) const {
  if (head.path == "/v1/chat/completions") {
    return Refusal({404,
                    "chat needs the template that the model was trained with, and this server "
                    "applies none; put the text together yourself and use /v1/completions",
                    "", "no_chat_template"});
  }
  const std::string_view method = MethodOf(head.path);
  if (method.empty()) {
    return Refusal({404,
                    "no such path; there are /health, /metrics, /v1/models and /v1/completions", "",
                    "unknown_path"});
  }
  if (head.method != method && !(head.method == "HEAD" && method == "GET")) {
    HttpResponse response =
        Refusal({405, head.path + " takes " + std::string(method), "", "wrong_method"});
    response.headers.emplace_back("Allow", method);
    return response;
  }
  if (method != "POST") {
    return std::nullopt;
  }
  // A web page can send other types to a local server without asking; for this one it has to ask.
  const std::string type = head.content_type.substr(0, head.content_type.find(';'));
  if (type != "application/json") {
    return Refusal({415, "expected Content-Type: application/json", "", "wrong_content_type"});
  }
  if (!head.content_encoding.empty() && head.content_encoding != "identity") {
    return Refusal({415, "compressed bodies are not read", "", "wrong_content_encoding"});
  }
  if (!head.has_length) {
    return Refusal({411, "expected a Content-Length", "", "no_length"});
  }
  if (head.length > body_bytes()) {
    return Refusal({413,
                    "the body has " + std::to_string(head.length) + " bytes; at most " +
                        std::to_string(body_bytes()) + " are read",
                    "", "body_too_large"});
  }
  return std::nullopt;
}

HttpResponse Server::ErrorPage(int status) {
  switch (status) {
    case 413:
      return Refusal({413, "the body is too large", "", "body_too_large"});
    case 414:
      return Refusal({414, "the request line is too long", "", "line_too_long"});
    case 400:
      return Refusal({400,
                      "not a whole HTTP/1.1 request: malformed, cut short, too large or too slow",
                      "", "malformed"});
    default:
      return Refusal({status, "the request could not be answered", "", ""});
  }
}

HttpResponse Server::Handle(const HttpRequest& request, const HttpPeer& peer) {
  try {
    if (request.path == kCompletions) {
      return Complete(request.body, peer);
    }
    if (request.path == "/health") {
      return Json({{"status", "ok"}});
    }
    if (request.path == "/metrics") {
      return Json(metrics_.Json(batcher_.load()));
    }
    if (request.path == kModels) {
      return Json({{"object", "list"}, {"data", ordered_json::array({ModelJson()})}});
    }
    if (request.path.substr(kModels.size() + 1) == limits_.model) {
      return Json(ModelJson());
    }
    throw ApiError(404, "this server has the model \"" + limits_.model + "\" and no other", "model",
                   "model_not_found");
  } catch (const ApiError& error) {
    return Refusal(error);
  } catch (const std::exception& error) {
    return Refusal({500, error.what(), "", "internal"});
  }
}

ordered_json Server::ModelJson() const {
  return {
      {"id", limits_.model}, {"object", "model"}, {"created", started_}, {"owned_by", "engine"}};
}

HttpResponse Server::Complete(const std::string& body, const HttpPeer& peer) {
  const auto encode = [this](std::string_view text) { return tokenizer_->Encode(text); };
  CompletionRequest request = ParseCompletion(body, limits_, encode);
  const std::size_t prompts = request.requests.size();
  std::shared_ptr<Answer> answer = Answer::Make(
      std::move(request), tokenizer_, [this](const JobOutcome& outcome) { metrics_.Add(outcome); });
  if (!batcher_.Submit(answer->Jobs())) {
    metrics_.AddRefused(prompts);
    throw ApiError(503, "the queue is full, or the server is stopping; try again later", "",
                   "queue_full");
  }
  std::array<char, 32> id{};
  std::snprintf(id.data(), id.size(), "cmpl-%016llx", static_cast<unsigned long long>(next_id_++));
  const CompletionHead head{id.data(), limits_.model, UnixTime()};
  return answer->request().stream ? CompleteStream(head, std::move(answer), peer)
                                  : CompleteWhole(head, std::move(answer), peer);
}

HttpResponse Server::CompleteWhole(const CompletionHead& head, std::shared_ptr<Answer> answer,
                                   const HttpPeer& peer) {
  const Stake stake(batcher_, answer);
  std::vector<ChoicePiece> choices(answer->request().requests.size());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    choices[i].index = i;
  }
  Drain(*answer, peer, [&](ChoicePiece piece) {
    ChoicePiece& choice = choices[piece.index];
    Append(choice, std::move(piece));
    return true;
  });
  // Of a client that is gone this is read by nobody.
  return Json(CompletionJson(head, answer->request(), choices, answer->usage()));
}

HttpResponse Server::CompleteStream(const CompletionHead& head, std::shared_ptr<Answer> answer,
                                    const HttpPeer& peer) {
  HttpResponse response;
  response.content_type = "text/event-stream";
  response.headers.emplace_back("Cache-Control", "no-store");
  const auto stake = std::make_shared<Stake>(batcher_, answer);
  response.stream = [stake, head, answer, &peer](const HttpWrite& write) {
    const CompletionRequest& request = answer->request();
    try {
      Drain(*answer, peer, [&](const ChoicePiece& piece) {
        return write(ServerSentEvent(ChunkJson(head, request, piece)));
      });
      if (answer->complete() && request.include_usage) {
        write(ServerSentEvent(UsageChunkJson(head, answer->usage())));
      }
    } catch (const ApiError& error) {
      write(ServerSentEvent(ToJson(error)));
    }
    stake->Leave();
    write("data: [DONE]\n\n");
  };
  return response;
}

}  // namespace engine
