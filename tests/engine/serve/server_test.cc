// SPDX-License-Identifier: Apache-2.0
// What the paths answer, without sockets.
#include "engine/serve/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/text/utf8.h"
#include "tests/engine/model_folder.h"

namespace engine {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class Client : public HttpPeer {
 public:
  bool gone() const override { return gone_; }
  std::atomic<bool> gone_{false};
};

class ServerTest : public ::testing::Test {
 protected:
  static EngineOptions Options() {
    EngineOptions options = OneThread();
    options.batch = 2;
    options.max_seq = kPositions;
    options.uncertainty = true;
    return options;
  }
  HttpResponse Call(const std::string& method, const std::string& path,
                    const std::string& body = "") {
    HttpHead head;
    head.method = method;
    head.path = path;
    head.content_type = "application/json; charset=utf-8";
    head.has_length = true;
    head.length = body.size();
    if (std::optional<HttpResponse> refusal = server_->Gate(head)) {
      return *refusal;
    }
    return server_->Handle({method, path, body}, client_);
  }
  json Complete(const std::string& body, int status = 200) {
    const HttpResponse response = Call("POST", "/v1/completions", body);
    EXPECT_EQ(response.status, status) << response.body;
    return json::parse(response.body);
  }

  // With room for an answer that takes minutes: it runs whenever a test ends it.
  static SynthSpec Spec() {
    SynthSpec spec{FindPreset("tiny").config, TensorType::kF32, 1, true};
    spec.config.max_positions = kPositions;
    return spec;
  }
  ServerTest() {
    ThreadPool pool(1);
    WriteSynth(Spec(), folder_.path(), pool);
    tokenizer_.emplace(folder_.path());
    engine_.emplace(Options(), folder_.path());
    server_.emplace(*engine_, &*tokenizer_, "tiny", 4);
  }

  static constexpr std::int64_t kPositions = 65536;
  TempFolder folder_;
  std::optional<ByteTokenizer> tokenizer_;
  std::optional<Engine> engine_;
  Client client_;
  std::optional<Server> server_;
};

TEST_F(ServerTest, AnswersAsTheEngineDoes) {
  Engine alone(Options(), folder_.path());
  Request request;
  request.prompt = {'H', 'i'};
  request.max_tokens = 20;
  request.temperature = 1.5F;
  request.seed = 9;
  const Result expected = alone.Generate({&request, 1})[0];
  const json root = Complete(R"({"prompt": "Hi", "max_tokens": 20, "temperature": 1.5, "seed": 9,
                   "return_token_ids": true, "logprobs": 0})");
  const json& choice = root["choices"][0];
  EXPECT_EQ(choice["token_ids"], json(expected.tokens));
  EXPECT_EQ(choice["text"].get<std::string>(),
            perfgate::well_formed_utf8(tokenizer_->Decode(expected.tokens)));
  EXPECT_EQ(choice["finish_reason"], "length");
  EXPECT_EQ(choice["logprobs"]["token_logprobs"][3].get<float>(),
            expected.uncertainty[3].log_probability);
  EXPECT_EQ(root["usage"]["total_tokens"], 22);
  EXPECT_EQ(root["object"], "text_completion");
  EXPECT_EQ(root["model"], "tiny");
  EXPECT_NE(root["id"], Complete(R"({"prompt": "Hi"})")["id"]);
}

TEST_F(ServerTest, AStreamHasTheSameText) {
  const std::string rest = R"("prompt": ["one", "two"], "max_tokens": 30, "temperature": 0)";
  const json whole = Complete("{" + rest + "}");
  const HttpResponse response =
      Call("POST", "/v1/completions",
           "{\"stream\": true, \"stream_options\": {\"include_usage\": true}, " + rest + "}");
  ASSERT_TRUE(response.stream);
  std::vector<std::string> events;
  response.stream([&](std::string_view event) {
    EXPECT_TRUE(event.starts_with("data: ") && event.ends_with("\n\n"));
    events.emplace_back(event.substr(6));
    return true;
  });
  EXPECT_EQ(events.back(), "[DONE]\n\n");
  events.pop_back();
  EXPECT_EQ(json::parse(events.back())["usage"], whole["usage"]);
  events.pop_back();
  std::string text[2];
  for (const std::string& event : events) {
    const json choice = json::parse(event)["choices"][0];
    text[choice["index"].get<int>()] += choice["text"].get<std::string>();
  }
  EXPECT_EQ(text[0], whole["choices"][0]["text"].get<std::string>());
  EXPECT_EQ(text[1], whole["choices"][1]["text"].get<std::string>());
}

TEST_F(ServerTest, StopTextEndsTheAnswer) {
  std::int64_t token = 'a';
  while (token < '0' || token > '9') {  // the first digit that follows
    token = PeakedSuccessor(Spec(), token);
  }
  const json root = Complete(R"({"prompt": "a", "temperature": 0, "max_tokens": 500, "stop": ")" +
                             std::string(1, static_cast<char>(token)) + "\"}");
  EXPECT_EQ(root["choices"][0]["finish_reason"], "stop");
  EXPECT_THAT(root["choices"][0]["text"].get<std::string>(),
              ::testing::Not(HasSubstr(std::string(1, static_cast<char>(token)))));
}

TEST_F(ServerTest, AClientThatLeavesEndsItsRequest) {
  const std::string body = R"({"prompt": "a", "max_tokens": 60000, "stream": true})";
  const HttpResponse response = Call("POST", "/v1/completions", body);
  int events = 0;
  response.stream([&](std::string_view) { return ++events < 3; });
  { const HttpResponse dropped = Call("POST", "/v1/completions", body); }
  client_.gone_ = true;
  Complete(R"({"prompt": "a", "max_tokens": 60000})");
  client_.gone_ = false;
  Complete(R"({"prompt": "a", "max_tokens": 2})");
  // What was left ends at its next token.
  json metrics;
  do {
    metrics = json::parse(Call("GET", "/metrics").body);
  } while (metrics["running"] != 0);
  EXPECT_EQ(metrics["requests"]["client_gone"], 3);
  EXPECT_EQ(metrics["requests"]["length"], 1);
  EXPECT_EQ(metrics["waiting"], 0);
  EXPECT_EQ(metrics["recent"]["queue_s"]["n"], 1);
  EXPECT_EQ(metrics["recent"]["ttft_s"]["n"], 1);
}

TEST_F(ServerTest, MorePromptsThanTheQueueTakesAreTurnedAway) {
  Server narrow(*engine_, &*tokenizer_, "tiny", 0);
  const HttpRequest request{"POST", "/v1/completions", R"({"prompt": ["a", "b"]})"};
  EXPECT_EQ(narrow.Handle(request, client_).status, 200);
  narrow.Stop();
  const HttpResponse response = narrow.Handle(request, client_);
  EXPECT_EQ(response.status, 503);
  ASSERT_EQ(response.headers.size(), 1U);
  EXPECT_EQ(response.headers[0].first, "Retry-After");
  EXPECT_EQ(json::parse(response.body)["error"]["type"], "server_error");
}

TEST_F(ServerTest, RefusesWhatThePathsDoNotTake) {
  EXPECT_EQ(Call("GET", "/health").status, 200);
  EXPECT_EQ(Call("HEAD", "/health").status, 200);
  EXPECT_EQ(Call("GET", "/v1/models/tiny").status, 200);
  EXPECT_EQ(Call("GET", "/v1/models/other").status, 404);
  EXPECT_EQ(json::parse(Call("GET", "/v1/models").body)["data"][0]["id"], "tiny");
  EXPECT_EQ(Call("GET", "/").status, 404);
  EXPECT_EQ(Call("GET", "/v1/modelsx").status, 404);
  EXPECT_EQ(Call("DELETE", "/health").status, 405);
  const HttpResponse wrong = Call("GET", "/v1/completions");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.headers[0].second, "POST");
  const HttpResponse chat = Call("POST", "/v1/chat/completions", "{}");
  EXPECT_EQ(chat.status, 404);
  EXPECT_THAT(chat.body, HasSubstr("template"));

  HttpHead head;
  head.method = "POST";
  head.path = "/v1/completions";
  head.has_length = true;
  const auto status = [&] { return server_->Gate(head).value_or(HttpResponse()).status; };
  EXPECT_EQ(status(), 415);
  head.content_type = "text/plain";
  EXPECT_EQ(status(), 415);
  head.content_type = "application/json";
  EXPECT_EQ(status(), 200);
  head.content_encoding = "gzip";
  EXPECT_EQ(status(), 415);
  head.content_encoding.clear();
  head.length = server_->body_bytes() + 1;
  EXPECT_EQ(status(), 413);
  head.has_length = false;
  EXPECT_EQ(status(), 411);
}

TEST_F(ServerTest, ErrorsHaveAShape) {
  const json error = Complete(R"({"prompt": "a", "max_tokens": -1})", 400)["error"];
  EXPECT_EQ(error["param"], "max_tokens");
  EXPECT_EQ(error["type"], "invalid_request_error");
  EXPECT_THAT(error["message"].get<std::string>(), HasSubstr("got -1"));
  EXPECT_EQ(Server::ErrorPage(400).status, 400);
  EXPECT_EQ(Server::ErrorPage(500).status, 500);
}

}  // namespace
}  // namespace engine
