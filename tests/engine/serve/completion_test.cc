// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/model/text_file.h"
#include "engine/serve/text_stream.h"

namespace engine {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CompletionLimits Limits() {
  CompletionLimits limits;
  limits.model = "tiny";
  limits.vocab = 256;
  limits.context = 64;
  limits.prompts = 2;
  limits.text = true;
  limits.seed = 7;
  return limits;
}

std::vector<std::int32_t> Bytes(std::string_view text) {
  std::vector<std::int32_t> ids;
  for (const char c : text) {
    ids.push_back(static_cast<unsigned char>(c));
  }
  return ids;
}

CompletionRequest Parse(const std::string& body, const CompletionLimits& limits = Limits()) {
  return ParseCompletion(body, limits, &Bytes);
}

// Refused with this status, naming `param`; the message has `part`.
void ExpectRefused(const std::string& body, int status, const std::string& param,
                   const std::string& part, const CompletionLimits& limits = Limits()) {
  try {
    Parse(body, limits);
    ADD_FAILURE() << "accepted: " << body;
  } catch (const ApiError& error) {
    EXPECT_EQ(error.status(), status) << body;
    EXPECT_EQ(error.param(), param) << body;
    EXPECT_THAT(error.what(), HasSubstr(part)) << body;
  }
}

// A body with a good prompt and one more field.
std::string With(const std::string& field) { return R"({"prompt": "a", )" + field + "}"; }

TEST(Completion, Defaults) {
  const CompletionRequest parsed = Parse(R"({"prompt": "Hi"})");
  ASSERT_EQ(parsed.requests.size(), 1U);
  const Request& request = parsed.requests[0];
  EXPECT_THAT(request.prompt, ElementsAre('H', 'i'));
  EXPECT_EQ(request.max_tokens, 16);
  EXPECT_EQ(request.temperature, 1);
  EXPECT_EQ(request.top_p, 1);
  EXPECT_EQ(request.top_k, 0);
  EXPECT_EQ(request.seed, 7U);
  EXPECT_FALSE(parsed.stream || parsed.logprobs || parsed.token_ids || parsed.include_usage);
}

TEST(Completion, EveryField) {
  CompletionLimits limits = Limits();
  limits.uncertainty = true;
  const CompletionRequest parsed =
      Parse(R"({"model": "tiny", "prompt": [[1, 2], [3]], "max_tokens": 5, "temperature": 0.5,
                "top_p": 0.9, "top_k": 40, "seed": 18446744073709551615, "stop": ["x", "yz"],
                "stop_token_ids": [9], "ignore_eos": true, "stream": true,
                "stream_options": {"include_usage": true}, "logprobs": 0,
                "return_token_ids": true, "user": "me", "n": 1, "best_of": 1, "echo": false,
                "frequency_penalty": 0.0, "presence_penalty": 0, "logit_bias": {}, "suffix": null})",
            limits);
  ASSERT_EQ(parsed.requests.size(), 2U);
  const Request& request = parsed.requests[1];
  EXPECT_THAT(parsed.requests[0].prompt, ElementsAre(1, 2));
  EXPECT_THAT(request.prompt, ElementsAre(3));
  EXPECT_EQ(request.max_tokens, 5);
  EXPECT_FLOAT_EQ(request.temperature, 0.5F);
  EXPECT_FLOAT_EQ(request.top_p, 0.9F);
  EXPECT_EQ(request.top_k, 40);
  EXPECT_EQ(request.seed, ~std::uint64_t{0});
  EXPECT_THAT(request.stop_ids, ElementsAre(9));
  EXPECT_TRUE(request.ignore_eos);
  EXPECT_THAT(parsed.stops, ElementsAre("x", "yz"));
  EXPECT_TRUE(parsed.stream && parsed.include_usage && parsed.logprobs && parsed.token_ids);
  EXPECT_EQ(Parse(With(R"("seed": -1)")).requests[0].seed, ~std::uint64_t{0});
  EXPECT_THAT(Parse(With(R"("stop": "s")")).stops, ElementsAre("s"));
  EXPECT_THAT(Parse(R"({"prompt": ["a", "b"]})").requests[1].prompt, ElementsAre('b'));
  EXPECT_EQ(Parse(R"({"prompt": "\u0000"})").requests[0].prompt, Bytes(std::string(1, '\0')));
}

TEST(Completion, RefusesBadValuesByName) {
  for (const char* bad : {"-1", "0", "65", "1e400", "1e3", "1.5", "\"5\"", "[1]", "true",
                          "99999999999999999999", "-99999999999999999999"}) {
    try {
      Parse(With("\"max_tokens\": " + std::string(bad)));
      ADD_FAILURE() << bad;
    } catch (const ApiError& error) {
      EXPECT_EQ(error.status(), 400) << bad;
      EXPECT_EQ(error.param(), std::string(bad) == "1e400" ? "" : "max_tokens") << bad;
    }
  }
  ExpectRefused(With("\"temperature\": -0.1"), 400, "temperature", "from 0 to 2, got -0.1");
  ExpectRefused(With("\"temperature\": \"hot\""), 400, "temperature", "got \"hot\"");
  ExpectRefused(With("\"top_p\": 0"), 400, "top_p", "got 0");
  ExpectRefused(With("\"top_p\": 1.01"), 400, "top_p", "got 1.01");
  ExpectRefused(With("\"top_k\": 1025"), 400, "top_k", "from 0 to 1024");
  ExpectRefused(With("\"seed\": 1.5"), 400, "seed", "64 bits");
  ExpectRefused(With("\"seed\": 18446744073709551616"), 400, "seed", "64 bits");
  ExpectRefused(With("\"stop\": [\"\"]"), 400, "stop", "not empty");
  ExpectRefused(With("\"stop\": 5"), 400, "stop", "a string or a list");
  ExpectRefused(With("\"stop_token_ids\": [256]"), 400, "stop_token_ids", "from 0 to 255");
  ExpectRefused(With("\"stop_token_ids\": 1"), 400, "stop_token_ids", "a list");
  ExpectRefused(With("\"stream\": 1"), 400, "stream", "true or false");
  ExpectRefused(With("\"stream_options\": {\"include_usage\": true}"), 400, "stream_options",
                "only with");
  ExpectRefused(With("\"stream\": true, \"stream_options\": {\"usage\": true}"), 400,
                "stream_options", "include_usage");
  ExpectRefused(With("\"stream\": true, \"stream_options\": []"), 400, "stream_options", "object");
  ExpectRefused(With("\"user\": 5"), 400, "user", "a string");
}

TEST(Completion, RefusesWhatIsNotImplemented) {
  ExpectRefused(With("\"n\": 2"), 400, "n", "only 1 is implemented");
  ExpectRefused(With("\"best_of\": 2"), 400, "best_of", "only 1");
  ExpectRefused(With("\"echo\": true"), 400, "echo", "only false");
  ExpectRefused(With("\"frequency_penalty\": 0.1"), 400, "frequency_penalty", "only 0");
  ExpectRefused(With("\"presence_penalty\": 1"), 400, "presence_penalty", "only 0");
  ExpectRefused(With("\"logit_bias\": {\"50256\": -100}"), 400, "logit_bias", "only {}");
  ExpectRefused(With("\"suffix\": \"z\""), 400, "suffix", "only \"\"");
  ExpectRefused(With("\"logprobs\": 0"), 400, "logprobs", "--uncertainty=on");
  ExpectRefused(With("\"logprobs\": 5"), 400, "logprobs", "only 0");
  ExpectRefused(With("\"logprobs\": false"), 400, "logprobs", "only 0");
  ExpectRefused(With("\"max_token\": 5"), 400, "max_token", "unknown field");
  ExpectRefused(With("\"model\": \"gpt\""), 404, "model", "this server has \"tiny\"");
  ExpectRefused(With("\"model\": 5"), 400, "model", "a string");
}

TEST(Completion, RefusesBadPrompts) {
  for (const char* bad : {"\"\"", "[]", "[\"\"]", "[[]]", "null", "5", "{}", "true", "[1, \"a\"]",
                          "[\"a\", 1]", "[[1], 2]", "[1.5]", "[-1]", "[256]", "[1e30]", "[null]",
                          "[[1], [2], [3]]", "[18446744073709551615]", "[[[1]]]"}) {
    ExpectRefused("{\"prompt\": " + std::string(bad) + "}", 400, "prompt", "prompt: ");
  }
  ExpectRefused("{}", 400, "prompt", "is missing");
  ExpectRefused(R"({"prompt": ["a", "b", "c"]})", 400, "prompt", "batch is 2");
  CompletionLimits no_text = Limits();
  no_text.text = false;
  ExpectRefused(R"({"prompt": "a"})", 400, "prompt", "give token ids", no_text);
  ExpectRefused(R"({"prompt": [1], "stop": "a"})", 400, "stop", "stop_token_ids", no_text);
  EXPECT_TRUE(Parse(R"({"prompt": [1]})", no_text).token_ids);
}

TEST(Completion, PromptAndAnswerFitTheContext) {
  const auto body = [](int prompt, const std::string& more) {
    return "{\"prompt\": \"" + std::string(static_cast<std::size_t>(prompt), 'a') + "\"" + more +
           "}";
  };
  EXPECT_EQ(Parse(body(60, "")).requests[0].max_tokens, 4) << "the default takes what is left";
  EXPECT_EQ(Parse(body(60, ", \"max_tokens\": 4")).requests[0].max_tokens, 4);
  ExpectRefused(body(60, ", \"max_tokens\": 5"), 400, "max_tokens", "the context of 64");
  ExpectRefused(body(64, ""), 400, "prompt", "64 tokens");
  ExpectRefused(body(6400, ""), 400, "prompt", "6400 tokens");
}

TEST(Completion, RefusesWhatIsNoJson) {
  for (const std::string bad :
       {"", " ", "{", "[]", "5", "\"a\"", "nul", "{\"prompt\": \"a\"} x", "{\"prompt\": \"\xff\"}",
        "{\"prompt\": \"\xc3\x28\"}", "{\"prompt\": \"\\ud800\"}", "{\"prompt\": \"a\nb\"}",
        "{'prompt': 'a'}", "{\"prompt\": NaN}", "{\"prompt\": \"a\",}"}) {
    ExpectRefused(bad, 400, "", "the body");
  }
  ExpectRefused(R"({"prompt": "a", "prompt": "b"})", 400, "", "appears twice");
  ExpectRefused("{\"prompt\": " + std::string(100000, '['), 400, "", "nested deeper");
  ExpectRefused(std::string("{\"prompt\": \"a\"}\0", 16), 400, "", "zero byte");
}

// Whatever the bytes: a request within the limits, or an ApiError whose JSON can be written.
TEST(Completion, AnyBytesAreARequestOrAnError) {
  const std::string good =
      R"({"model": "tiny", "prompt": [[1, 2], [3]], "max_tokens": 5, "temperature": 0.5, "top_p":)"
      R"( 0.9, "top_k": 40, "seed": -4, "stop": ["x", "\u00e9"], "stream": true, "logprobs": null,)"
      R"( "stream_options": {"include_usage": true}, "n": 1, "logit_bias": {}, "user": "me"})";
  const std::vector<std::string> pieces = {"\"",          "{",
                                           "}",           "[",
                                           "]",           ",",
                                           ":",           "null",
                                           "true",        "-1",
                                           "1e9",         "1e999",
                                           "0.0",         "\\u",
                                           "\xff",        "\xc3",
                                           "\\",          "256",
                                           "\"a\"",       "2e-50",
                                           " ",           "9999999999999999999999",
                                           "\"prompt\":", "\"n\":2,"};
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string body = good;
    for (std::size_t edits = below(4) + 1; edits > 0 && !body.empty(); --edits) {
      const std::size_t at = below(body.size());
      switch (below(4)) {
        case 0:
          body.erase(at, below(12) + 1);
          break;
        case 1:
          body.insert(at, pieces[below(pieces.size())]);
          break;
        case 2:
          body[at] = static_cast<char>(below(256));
          break;
        default:
          body.replace(at, below(6), pieces[below(pieces.size())]);
      }
    }
    try {
      const CompletionRequest parsed = Parse(body);
      ++accepted;
      ASSERT_GE(parsed.requests.size(), 1U) << body;
      ASSERT_LE(parsed.requests.size(), 2U) << body;
      for (const Request& one : parsed.requests) {
        ASSERT_GE(one.max_tokens, 1) << body;
        ASSERT_GE(one.prompt.size(), 1U) << body;
        ASSERT_LE(static_cast<std::int64_t>(one.prompt.size()) + one.max_tokens, 64) << body;
        ASSERT_TRUE(one.temperature >= 0 && one.temperature <= 2) << body;
        ASSERT_TRUE(one.top_p > 0 && one.top_p <= 1) << body;
        ASSERT_TRUE(one.top_k >= 0 && one.top_k <= 1024) << body;
        for (const std::int32_t id : one.prompt) {
          ASSERT_TRUE(id >= 0 && id < 256) << body;
        }
      }
    } catch (const ApiError& error) {
      ASSERT_TRUE(error.status() == 400 || error.status() == 404) << body;
      const std::string text = ToJson(error).dump();
      ASSERT_EQ(json::parse(text)["error"]["type"], "invalid_request_error");
      ASSERT_LT(text.size(), 2000U);
    }
  }
  EXPECT_GT(accepted, 100) << "the edits leave some requests whole";
}

TEST(Completion, Errors) {
  EXPECT_EQ(ToJson(ApiError(400, "no", "n", "c")).dump(),
            R"({"error":{"message":"no","type":"invalid_request_error","param":"n","code":"c"}})");
  EXPECT_EQ(ToJson(ApiError(503, "full")).dump(),
            R"({"error":{"message":"full","type":"server_error","param":null,"code":null}})");
}

TEST(Completion, Answers) {
  CompletionRequest request = Parse(R"({"prompt": "a"})");
  const CompletionHead head{"cmpl-1", "tiny", 5};
  ChoicePiece choice;
  choice.text = "b\"c";
  choice.ids = {98, 34, 99};
  choice.finish = Finish::kLength;
  EXPECT_EQ(CompletionJson(head, request, std::span(&choice, 1), {1, 3}).dump(),
            R"({"id":"cmpl-1","object":"text_completion","created":5,"model":"tiny","choices":[)"
            R"({"text":"b\"c","index":0,"logprobs":null,"finish_reason":"length"}],)"
            R"("usage":{"prompt_tokens":1,"completion_tokens":3,"total_tokens":4}})");
  request.token_ids = true;
  request.include_usage = true;
  choice.finish.reset();
  EXPECT_EQ(
      ServerSentEvent(ChunkJson(head, request, choice)),
      R"(data: {"id":"cmpl-1","object":"text_completion","created":5,"model":"tiny","choices":[)"
      R"({"text":"b\"c","index":0,"logprobs":null,"finish_reason":null,"token_ids":[98,34,99]}],)"
      R"("usage":null})"
      "\n\n");
  EXPECT_THAT(UsageChunkJson(head, {1, 3}).dump(),
              HasSubstr(R"("choices":[],"usage":{"prompt_tokens":1)"));
  request.logprobs = true;
  choice.token_texts = {"b"};
  choice.uncertainty = {{-0.5F, 1.5F, 2}};
  EXPECT_THAT(ToJson(choice, request).dump(),
              HasSubstr(R"("logprobs":{"tokens":["b"],"token_logprobs":[-0.5],"top_logprobs":null,)"
                        R"("entropy":[1.5],"margin":[2.0]})"));
}

TEST(Completion, TokensThatAreNoText) {
  EXPECT_EQ(TokenText("a"), "a");
  EXPECT_EQ(TokenText("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(TokenText("\xe2\x82"), "bytes:\\xe2\\x82");
}

}  // namespace
}  // namespace engine
