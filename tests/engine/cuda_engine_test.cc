// SPDX-License-Identifier: Apache-2.0
// Whole models on a GPU: against the CPU, against themselves, captured against not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "engine/decode/engine.h"
#include "engine/decode/profile.h"
#include "engine/model/mxfp4.h"
#include "engine/ops/cuda_device.h"
#include "tests/engine/errors.h"
#include "tests/engine/model_folder.h"
#include "tests/engine/numbers.h"

namespace engine {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kPresets[] = {"tiny", "odd", "gqa7"};

EngineOptions OnGpu() {
  EngineOptions options = OneThread();
  options.device = DeviceKind::kCuda;
  return options;
}

std::vector<float> LogitsOf(const std::string& folder, const EngineOptions& options,
                            bool incremental, std::size_t count = 140) {
  return Engine(options, folder, nullptr, true).Logits(SomeIds(count), incremental);
}

// A cache and prompts in bf16: 0.4 % per rounding, over a few layers.
double BoundOf(TensorType type) { return type == TensorType::kF32 ? 2e-5 : 2e-2; }

Result Only(Engine& engine, const Request& request) { return engine.Generate({&request, 1})[0]; }

TEST(CudaEngine, LogitsAreThoseOfTheCpu) {
  for (const char* preset : kPresets) {
    for (const TensorType type : {TensorType::kF32, TensorType::kBf16}) {
      const ModelFolder model(preset, type);
      const auto cpu = LogitsOf(model.path(), OneThread(), false);
      for (const bool incremental : {false, true}) {
        EngineOptions options = OnGpu();
        const double error = RelativeL2(LogitsOf(model.path(), options, incremental), cpu);
        EXPECT_LT(error, BoundOf(type)) << preset << (incremental ? " by token" : " as a prompt");
        options.chunk = 33;
        EXPECT_LT(RelativeL2(LogitsOf(model.path(), options, incremental), cpu), BoundOf(type))
            << preset << " in chunks";
      }
    }
  }
}

TEST(CudaEngine, EveryOptionGivesTheLogitsOfTheCpu) {
  for (const TensorType type : {TensorType::kF32, TensorType::kBf16}) {
    const ModelFolder model("gqa7", type);
    const auto cpu = LogitsOf(model.path(), OneThread(), false);
    for (const char* name :
         {"gemm:own", "gemm:cublaslt", "gemv:own", "gemv:reference", "gemv:cublaslt",
          "attention:reference", "attention:split_kv", "attention:fused", "ffn:batched",
          "ffn:separate", "fuse_qkv:off", "fuse_qkv:on", "fuse_norm:off", "fuse_norm:on",
          "convert:device", "cuda_graph:on", "cuda_graph:on/prebuild:2", "preload:pread",
          "preload:pinned"}) {
      std::vector<std::string> problems;
      EngineOptions options = FromCaseName(std::string("device:cuda/") + name, problems);
      ASSERT_TRUE(problems.empty()) << name;
      for (const bool incremental : {false, true}) {
        EXPECT_LT(RelativeL2(LogitsOf(model.path(), options, incremental), cpu), BoundOf(type))
            << name << (incremental ? " by token" : " as a prompt");
      }
    }
  }
}

TEST(CudaEngine, WeightsThatChangeTheirTypeOrAreMxfp4) {
  const ModelFolder model("tiny");
  for (const Convert convert : {Convert::kHost, Convert::kDevice}) {
    EngineOptions options = OnGpu();
    options.weight_cache = WeightCache::k16Bit;
    options.convert = convert;
    EngineOptions on_cpu = OneThread();
    on_cpu.weight_cache = WeightCache::k16Bit;
    EXPECT_LT(
        RelativeL2(LogitsOf(model.path(), options, true), LogitsOf(model.path(), on_cpu, false)),
        BoundOf(TensorType::kBf16));
  }
  for (const TensorType type : {TensorType::kF32, TensorType::kBf16}) {
    const ModelFolder full("gqa7", type);
    const TempFolder small;
    ThreadPool pool(1);
    QuantizeModel(full.path(), small.path(), pool, true);
    const auto cpu = LogitsOf(small.path(), OneThread(), false);
    for (const bool incremental : {false, true}) {
      EXPECT_LT(RelativeL2(LogitsOf(small.path(), OnGpu(), incremental), cpu),
                BoundOf(TensorType::kBf16));
    }
  }
}

TEST(CudaEngine, SameBitsTwiceAndReplayed) {
  for (const char* preset : kPresets) {
    for (const TensorType type : {TensorType::kF32, TensorType::kBf16}) {
      const ModelFolder model(preset, type);
      Engine once(OnGpu(), model.path()), again(OnGpu(), model.path());
      EngineOptions options = OnGpu();
      options.cuda_graph = true;
      Engine captured(options, model.path());
      options.prebuild = 2;
      Engine prebuilt(options, model.path());
      // Past the first bucket, so that a second graph is made.
      Request request = Ask(SomeIds(240), 60);
      for (const float temperature : {0.0F, 1.0F}) {
        request.temperature = temperature;
        const Result expected = Only(once, request);
        for (Engine* const engine : {&again, &captured, &captured, &prebuilt}) {
          const Result result = Only(*engine, request);
          EXPECT_EQ(result.tokens, expected.tokens) << preset;
          EXPECT_EQ(result.logits_hash, expected.logits_hash) << preset;
        }
      }
      EXPECT_EQ(once.device()["graph_replays"], 0);
      EXPECT_EQ(captured.device()["graphs"], 4) << "256 and 512 positions, greedy and drawn";
      EXPECT_EQ(captured.device()["eager_steps"], 4);
      EXPECT_GT(captured.device()["graph_replays"], 200);
    }
  }
}

// A graph that is replayed after other work has overwritten every buffer that steps share.
TEST(CudaEngine, ReplaysAfterOtherWork) {
  const ModelFolder model("gqa7", TensorType::kBf16);
  EngineOptions options = OnGpu();
  options.batch = 3;
  Engine eager(options, model.path());
  options.cuda_graph = true;
  Engine captured(options, model.path());
  const std::vector<Request> three = {Ask(SomeIds(5), 9), Ask(SomeIds(90), 4), Ask({7}, 15)};
  for (int round = 0; round < 3; ++round) {
    const auto expected = eager.Generate(three);
    const auto results = captured.Generate(three);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(results[i].tokens, expected[i].tokens) << i;
      EXPECT_EQ(results[i].logits_hash, expected[i].logits_hash) << i;
    }
    EXPECT_EQ(Only(captured, Ask(SomeIds(200), 30)).logits_hash,
              Only(eager, Ask(SomeIds(200), 30)).logits_hash);
  }
}

TEST(CudaEngine, ShortPromptsAreReplayed) {
  const ModelFolder model("tiny", TensorType::kBf16);
  EngineOptions options = OnGpu();
  Engine eager(options, model.path());
  options.cuda_graph = true;
  Engine captured(options, model.path());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Only(captured, Ask(SomeIds(40), 1)).logits_hash,
              Only(eager, Ask(SomeIds(40), 1)).logits_hash);
  }
  EXPECT_EQ(captured.device()["eager_steps"], 1);
  EXPECT_EQ(captured.device()["graph_replays"], 2);
  // 63 prompts and steps up to 256 and 512 positions, greedy and drawn, are 130 keys: more than
  // there is room for, in an order in which the prompt to go is always the next.
  std::int64_t eager_steps = 0;
  for (int pass = 0; pass < 2; ++pass) {
    eager_steps = captured.device()["eager_steps"];
    for (const float temperature : {0.0F, 1.0F}) {
      for (std::int64_t length = 2; length <= 65; ++length) {
        Request request = Ask(SomeIds(length == 65 ? 250 : length), length == 65 ? 10 : 2);
        request.temperature = temperature;
        const Result expected = Only(eager, request);
        for (int time = 0; time < 2; ++time) {  // the second captures
          const Result result = Only(captured, request);
          ASSERT_EQ(result.tokens, expected.tokens) << length;
          ASSERT_EQ(result.logits_hash, expected.logits_hash) << length;
        }
      }
    }
  }
  EXPECT_GT(captured.device()["eager_steps"], eager_steps + 100) << "none had to go";
}

// Whatever else decides a prompt's launches: memory that grows between the passes, several
// sequences, ways of attention, types of weights, uncertainty.
TEST(CudaEngine, ReplayedPromptsOfEveryKind) {
  for (const TensorType type : {TensorType::kF32, TensorType::kBf16}) {
    const ModelFolder model("gqa7", type);
    const TempFolder small;
    ThreadPool pool(1);
    QuantizeModel(model.path(), small.path(), pool, true);
    for (const char* name : {"batch:3", "attention:split_kv", "attention:reference", "gemm:own",
                             "uncertainty:on", "ffn:separate/fuse_qkv:off"}) {
      for (const std::string& folder : {model.path(), std::string(small.path())}) {
        std::vector<std::string> problems;
        EngineOptions options = FromCaseName(std::string("device:cuda/") + name, problems);
        ASSERT_TRUE(problems.empty()) << name;
        Engine eager(options, folder);
        options.cuda_graph = true;
        Engine captured(options, folder);
        std::vector<Request> requests = {Ask(SomeIds(20), 3), Ask(SomeIds(33), 3), Ask({7}, 3)};
        requests.resize(static_cast<std::size_t>(std::min<std::int64_t>(options.batch, 3)));
        for (int pass = 0; pass < 5; ++pass) {
          const auto expected = eager.Generate(requests), results = captured.Generate(requests);
          for (std::size_t i = 0; i < requests.size(); ++i) {
            EXPECT_EQ(results[i].logits_hash, expected[i].logits_hash)
                << name << ", pass " << pass << ", request " << i;
          }
          if (pass == 1) {  // what was captured must not outlive the memory of this
            EXPECT_EQ(Only(captured, Ask(SomeIds(200), 2)).logits_hash,
                      Only(eager, Ask(SomeIds(200), 2)).logits_hash);
          }
        }
      }
    }
  }
}

TEST(CudaEngine, ABatchIsCloseToItsSequences) {
  const ModelFolder model("gqa7", TensorType::kF32, true);
  std::vector<Request> requests = {Ask(SomeIds(3), 20), Ask(SomeIds(17), 5), Ask({7}, 11)};
  requests[1].temperature = 1;
  requests[1].seed = 5;
  EngineOptions options = OnGpu();
  Engine alone(options, model.path());
  options.batch = 4;
  Engine together(options, model.path());
  const std::vector<Result> results = together.Generate(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(results[i].tokens, Only(alone, requests[i]).tokens) << i;
  }
}

TEST(CudaEngine, TextOfThePeakedModelIsThatOfTheCpu) {
  for (const TensorType type : {TensorType::kF32, TensorType::kBf16}) {
    const ModelFolder model("tiny", type, true);
    EngineOptions options = OnGpu();
    options.cuda_graph = true;
    options.uncertainty = true;
    Engine gpu(options, model.path());
    options = OneThread();
    options.uncertainty = true;
    Engine cpu(options, model.path());
    const Result a = Only(gpu, Ask({9}, 40)), b = Only(cpu, Ask({9}, 40));
    EXPECT_EQ(a.tokens, b.tokens);
    ASSERT_EQ(a.uncertainty.size(), 40U);
    EXPECT_NEAR(a.uncertainty[20].entropy, b.uncertainty[20].entropy, 0.05F);
  }
}

TEST(CudaEngine, TheContextEndsAndBadInputIsRefused) {
  const ModelFolder model("tiny");
  EngineOptions options = OnGpu();
  options.max_seq = 8;
  options.cuda_graph = true;
  Engine engine(options, model.path());
  const Result full = Only(engine, Ask(SomeIds(6), 100));
  EXPECT_EQ(full.finish, Finish::kContext);
  EXPECT_EQ(full.tokens.size(), 3U);
  EXPECT_THAT(ErrorOf([&] { Only(engine, Ask({1, 256})); }), HasSubstr("token id 256"));
  EXPECT_THAT(ErrorOf([&] { Only(engine, Ask(SomeIds(9))); }), HasSubstr("the context 8"));
  EXPECT_EQ(Only(engine, Ask(SomeIds(6), 100)).logits_hash, full.logits_hash);
}

TEST(CudaEngine, TwoEnginesAndAnotherThread) {
  const ModelFolder a("tiny"), b("gqa7", TensorType::kBf16);
  EngineOptions options = OnGpu();
  options.cuda_graph = true;
  Engine one(options, a.path()), two(OnGpu(), b.path());
  const Result first = Only(one, Ask({5})), second = Only(two, Ask({5}));
  std::thread([&] {
    EXPECT_EQ(Only(one, Ask({5})).logits_hash, first.logits_hash);
    EXPECT_EQ(Only(two, Ask({5})).logits_hash, second.logits_hash);
  }).join();
}

TEST(CudaEngine, StagesOfAProfile) {
  const ModelFolder model("tiny", TensorType::kBf16);
  EngineOptions options = OnGpu();
  options.cuda_graph = true;
  StageProfile profile;
  Engine engine(options, model.path(), nullptr, false, Profiled(profile));
  Engine plain(OnGpu(), model.path());
  EXPECT_EQ(Only(engine, Ask({5})).logits_hash, Only(plain, Ask({5})).logits_hash);
  for (const auto& [stage, name] : kOpStages) {
    const bool by_shape =
        stage == OpStage::kRope || stage == OpStage::kAttention || stage == OpStage::kRopeAttention;
    EXPECT_TRUE(profile.ran(stage) || by_shape) << name;
    EXPECT_EQ(profile.seconds(stage) > 0, profile.ran(stage)) << name;
  }
  EXPECT_EQ(profile.ran(OpStage::kRope), profile.ran(OpStage::kAttention));
  EXPECT_TRUE(profile.ran(OpStage::kRope) || profile.ran(OpStage::kRopeAttention));
  EXPECT_EQ(engine.device()["graph_replays"], 0) << "off in a profile";
}

TEST(CudaEngine, NoMemoryIsAnErrorThatSaysWhatToDo) {
  const std::unique_ptr<Ops> ops = MakeCudaOps(OnGpu());
  EXPECT_THAT(ErrorOf([&] { ops->Reserve(std::size_t{1} << 50); }),
              AllOf(HasSubstr("out of device memory"), HasSubstr("lower max_seq")));
  ops->Reserve(1024);
  const std::int32_t sent = 7;
  std::int32_t got = 0;
  std::byte* const at = ops->Take(4);
  ops->Upload(at, &sent, 4);
  ops->Download(&got, at, 4);
  EXPECT_EQ(got, 7) << "the device goes on";
}

}  // namespace
}  // namespace engine
