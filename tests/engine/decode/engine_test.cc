// SPDX-License-Identifier: Apache-2.0
// Requests: what comes out, when they end, and what is refused.
#include "engine/decode/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/sample.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/engine/errors.h"
#include "tests/engine/model_folder.h"

namespace engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result Only(Engine& engine, const Request& request, const OnToken& on_token = {}) {
  return engine.Generate({&request, 1}, on_token)[0];
}

TEST(Engine, GreedyTextIsTheArgmaxOfItsLogits) {
  const ModelFolder model("gqa7", TensorType::kBf16);
  Engine engine(OneThread(), model.path(), nullptr, true);
  const Result result = Only(engine, Ask(SomeIds(9)));
  ASSERT_EQ(result.tokens.size(), 12U);
  EXPECT_EQ(result.finish, Finish::kLength);
  EXPECT_EQ(result.times.tokens.size(), 12U);
  std::vector<std::int32_t> all = SomeIds(9);
  all.insert(all.end(), result.tokens.begin(), result.tokens.end());
  const std::vector<float> logits = engine.Logits(all, false);
  for (std::size_t i = 8; i + 1 < all.size(); ++i) {
    const auto row = std::span(logits).subspan(i * 320, 320);
    EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), all[i + 1]);
  }
}

TEST(Engine, ABatchIsItsSequences) {
  for (const TensorType type : {TensorType::kF32, TensorType::kBf16}) {
    const ModelFolder model("odd", type);
    std::vector<Request> requests = {Ask(SomeIds(3), 20), Ask(SomeIds(17), 5), Ask({7}, 11)};
    requests[1].temperature = 1;
    requests[1].seed = 5;
    EngineOptions options = OneThread();
    Engine alone(options, model.path());
    options.batch = 4;
    options.threads = 2;
    Engine together(options, model.path());
    const std::vector<Result> results = together.Generate(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Result one = Only(alone, requests[i]);
      EXPECT_EQ(results[i].tokens, one.tokens) << i;
      EXPECT_EQ(results[i].logits_hash, one.logits_hash) << i;
    }
  }
}

TEST(Engine, RequestsLeaveNothingBehind) {
  const ModelFolder model("tiny");
  Engine engine(OneThread(), model.path());
  const Result first = Only(engine, Ask({1, 2, 3}));
  Only(engine, Ask(SomeIds(200), 50));
  const Result again = Only(engine, Ask({1, 2, 3}));
  EXPECT_EQ(again.tokens, first.tokens);
  EXPECT_EQ(again.logits_hash, first.logits_hash);
}

TEST(Engine, TwoEnginesWithOtherOptionsShareAProcess) {
  const ModelFolder a("tiny"), b("gqa7", TensorType::kBf16);
  EngineOptions exact = OneThread();
  exact.numerics = NumericsMode::kHfExact;
  Engine one(OneThread(), a.path()), two(exact, b.path());
  const Result first = Only(one, Ask({5})), second = Only(two, Ask({5}));
  EXPECT_EQ(Only(one, Ask({5})).logits_hash, first.logits_hash);
  EXPECT_EQ(Only(two, Ask({5})).logits_hash, second.logits_hash);
}

TEST(Engine, SamplingFollowsSeedAndStep) {
  const ModelFolder model("tiny");
  Engine engine(OneThread(), model.path());
  Request request = Ask({1}, 30);
  request.temperature = 1.5F;
  const auto tokens = [&](std::uint64_t seed) {
    request.seed = seed;
    return Only(engine, request).tokens;
  };
  const auto first = tokens(1);
  EXPECT_EQ(tokens(1), first);
  EXPECT_NE(tokens(2), first);
  request.top_k = 1;
  const auto greedy = Only(engine, Ask({1}, 30)).tokens;
  EXPECT_EQ(tokens(1), greedy);
  request.top_k = 0;
  request.top_p = 1e-6F;
  EXPECT_EQ(tokens(3), greedy) << "a tiny nucleus holds one token";
}

// Token j is what the kernel draws with (seed, j) from the logits that it follows.
TEST(Engine, TokenJIsDrawnWithStepJ) {
  const ModelFolder model("tiny");
  Engine engine(OneThread(), model.path(), nullptr, true);
  Request request = Ask(SomeIds(5), 20);
  request.temperature = 1.25F;
  request.top_p = 0.95F;
  request.top_k = 200;
  request.seed = 77;
  const Result result = Only(engine, request);
  std::vector<std::int32_t> all = request.prompt;
  all.insert(all.end(), result.tokens.begin(), result.tokens.end());
  const std::vector<float> logits = engine.Logits(all, false);
  ASSERT_EQ(result.tokens.size(), 20U);
  for (std::size_t j = 0; j < 20; ++j) {
    std::int32_t id = -1;
    float probability = 0;
    kernels::Run(*kernels::Find<kernels::SampleArgs>("reference"),
                 kernels::SampleArgs{{1, 256, 200},
                                     request.temperature,
                                     request.top_p,
                                     request.seed,
                                     j,
                                     std::span<const float>(logits).subspan((4 + j) * 256, 256),
                                     {&id, 1},
                                     {&probability, 1}});
    EXPECT_EQ(result.tokens[j], id) << j;
  }
}

TEST(Engine, StopsWhereAsked) {
  const ModelFolder model("tiny", TensorType::kF32, true);
  const auto next = [&](std::int32_t token) {
    return static_cast<std::int32_t>(PeakedSuccessor(model.spec(), token));
  };
  const std::int32_t a = next(9), b = next(a), c = next(b);
  Engine engine(OneThread(), model.path());
  Request request = Ask({9}, 3);
  EXPECT_THAT(Only(engine, request).tokens, ElementsAre(a, b, c));

  request.stop_ids = {c};
  const Result stopped = Only(engine, request);
  EXPECT_THAT(stopped.tokens, ElementsAre(a, b));
  EXPECT_EQ(stopped.finish, Finish::kStop);
  EXPECT_EQ(MetricsOf(stopped.times).tokens, 2) << "the stop token is none";

  request.stop_ids.clear();
  std::vector<std::int32_t> seen;
  const Result cancelled = Only(engine, request, [&](const TokenEvent& event) {
    seen.push_back(event.token);
    return seen.size() < 2;
  });
  EXPECT_EQ(cancelled.finish, Finish::kCancelled);
  EXPECT_THAT(seen, ElementsAre(a, b));
}

TEST(Engine, EndTokensOfTheModel) {
  const ModelFolder model("tiny", TensorType::kF32, true);
  const auto a = static_cast<std::int32_t>(PeakedSuccessor(model.spec(), 9));
  perfgate::write_file_atomically(model.path() + "/generation_config.json",
                                  "{\"eos_token_id\":" + std::to_string(a) + "}");
  Engine engine(OneThread(), model.path());
  Request request = Ask({9}, 3);
  const Result ended = Only(engine, request);
  EXPECT_THAT(ended.tokens, ElementsAre());
  EXPECT_EQ(ended.finish, Finish::kStop);
  EXPECT_EQ(MetricsOf(ended.times).tokens, 0);
  EXPECT_GT(MetricsOf(ended.times).ttft, 0);
  request.ignore_eos = true;
  EXPECT_EQ(Only(engine, request).tokens.size(), 3U);
}

TEST(Engine, TheContextEnds) {
  const ModelFolder model("tiny");
  EngineOptions options = OneThread();
  options.max_seq = 8;
  Engine engine(options, model.path());
  const Result full = Only(engine, Ask(SomeIds(6), 100));
  EXPECT_EQ(full.finish, Finish::kContext);
  EXPECT_EQ(full.tokens.size(), 3U) << "two find room in the cache, the third needs none";
  EXPECT_EQ(Only(engine, Ask(SomeIds(8), 100)).tokens.size(), 1U);
}

TEST(Engine, UncertaintyIsOfTheTokenTaken) {
  const ModelFolder model("tiny");
  EngineOptions options = OneThread();
  options.uncertainty = true;
  Engine engine(options, model.path());
  Engine without(OneThread(), model.path());
  int events = 0;
  const Result result = Only(engine, Ask({3}), [&](const TokenEvent& event) {
    events += event.uncertainty != nullptr ? 1 : 0;
    return true;
  });
  EXPECT_EQ(events, 12);
  ASSERT_EQ(result.uncertainty.size(), 12U);
  for (const Uncertainty& u : result.uncertainty) {
    EXPECT_LT(u.log_probability, 0);
    EXPECT_GT(u.margin, 0);
    EXPECT_TRUE(u.entropy > 0 && u.entropy < 5.6F) << "at most ln 256";
  }
  EXPECT_EQ(Only(without, Ask({3})).tokens, result.tokens);
  EXPECT_TRUE(Only(without, Ask({3})).uncertainty.empty());
}

TEST(Engine, RefusesRequestsBeforeAnyIsServed) {
  const ModelFolder model("tiny");
  EngineOptions options = OneThread();
  options.max_seq = 8;
  options.batch = 3;
  Engine engine(options, model.path());
  Request bad = Ask({1, 256}, 0);
  bad.temperature = -1;
  bad.top_k = 1025;
  bad.top_p = 0;
  const std::vector<Request> requests = {Ask({}), Ask(SomeIds(9)), bad};
  const std::string error = ErrorOf([&] { engine.Generate(requests); });
  for (const char* part :
       {"7 problems", "request 1: the prompt is empty",
        "request 2: the prompt has 9 tokens, the context 8",
        "request 3: token id 256 is outside the vocabulary of 256", "request 3: max_tokens is 0",
        "request 3: temperature is -1", "request 3: top_k is 1025", "request 3: top_p is 0"}) {
    EXPECT_THAT(error, HasSubstr(part));
  }
  const std::vector<Request> four(4, Ask({1}));
  EXPECT_THAT(ErrorOf([&] { engine.Generate(four); }),
              HasSubstr("4 requests at once, but batch=3"));
  EXPECT_THAT(ErrorOf([&] { engine.Logits({}, false); }), HasSubstr("the prompt is empty"));
}

TEST(Engine, RefusesOptionsThatDoNotFitTheModel) {
  const ModelFolder model("tiny", TensorType::kBf16);
  EngineOptions options = OneThread();
  options.max_seq = 513;
  options.weight_cache = WeightCache::k16Bit;
  const std::string error = ErrorOf([&] { Engine engine(options, model.path()); });
  EXPECT_THAT(error, HasSubstr("max_seq=513 is more than the model's max_position_embeddings 512"));
  EXPECT_THAT(error, HasSubstr("weight_cache=16bit: the weights are bf16 already"));
  EXPECT_THAT(ErrorOf([&] { Engine engine({}, model.path() + "/none"); }),
              HasSubstr("config.json: cannot be read"));
}

TEST(Engine, ADeviceThatIsNotThereIsToldWithWhatToDo) {
  const ModelFolder model("tiny");
  EngineOptions options = OneThread();
  options.device = DeviceKind::kCuda;
  const std::string error = ErrorOf([&] { Engine engine(options, model.path()); });
  if (error == "no error") {
    GTEST_SKIP() << "it is there";
  }
  EXPECT_THAT(error, ::testing::AnyOf(HasSubstr("configure with -DPERFGATE_CUDA=ON"),
                                      HasSubstr("device=cpu needs none")));
}

TEST(Engine, StagesAddUpToTheStart) {
  const ModelFolder model("tiny");
  StageTimer timer;
  const auto begin = Clock::now();
  Engine engine(OneThread(), model.path(), &timer);
  const double all = std::chrono::duration<double>(Clock::now() - begin).count();
  EXPECT_EQ(timer.stages().size(), 4U);
  EXPECT_LE(timer.total(), all * 1.02 + 1e-4);
  EXPECT_GE(timer.total(), all * 0.5);
}

}  // namespace
}  // namespace engine
