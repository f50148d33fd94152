// SPDX-License-Identifier: Apache-2.0
// server.h: what the paths of the HTTP server do. Knows requests and answers, no sockets.
//
//   GET  /health            200 once there is a server: it starts when the engine is warm
//   GET  /v1/models         the one model
//   GET  /metrics           counts and latencies, as JSON
//   POST /v1/completions    text or token ids in, the same out; whole or as a stream
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/decode/engine.h"
#include "engine/model/tokenizer.h"
#include "engine/serve/answer.h"
#include "engine/serve/batcher.h"
#include "engine/serve/completion.h"
#include "engine/serve/http_message.h"
#include "engine/serve/server_metrics.h"

namespace engine {

class Server {
 public:
  // model: the name in requests; queue: prompts that may wait. What is referred to outlives it;
  // the engine is the server's alone. tokenizer: null for a model without text.
  Server(Engine& engine, const ByteTokenizer* tokenizer, const std::string& model,
         std::size_t queue);

  // Bytes of a body that no valid request exceeds by far.
  std::size_t body_bytes() const;

  // For an HttpServer. Each may be called from several threads.
  HttpHandlers Handlers();
  std::optional<HttpResponse> Gate(const HttpHead& head) const;
  HttpResponse Handle(const HttpRequest& request, const HttpPeer& peer);
  static HttpResponse ErrorPage(int status);

  // Ends what runs, with an error that says so, and refuses what comes.
  void Stop() { batcher_.Stop(); }

 private:
  HttpResponse Complete(const std::string& body, const HttpPeer& peer);
  HttpResponse CompleteWhole(const CompletionHead& head, std::shared_ptr<Answer> answer,
                             const HttpPeer& peer);
  HttpResponse CompleteStream(const CompletionHead& head, std::shared_ptr<Answer> answer,
                              const HttpPeer& peer);
  nlohmann::ordered_json ModelJson() const;

  const ByteTokenizer* const tokenizer_;
  const CompletionLimits limits_;
  const std::int64_t started_;  // seconds since 1970
  std::atomic<std::uint64_t> next_id_;
  ServerMetrics metrics_;
  Batcher batcher_;
};

}  // namespace engine
