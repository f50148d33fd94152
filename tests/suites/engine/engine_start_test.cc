// SPDX-License-Identifier: Apache-2.0
// Cases of the engine suite that open an engine, and those of f32 weights: their names, what they
// declare and ask, and what judges them. No time is judged here.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/ops/forwarding_ops.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/policy.h"
#include "suites/engine/engine_ask.h"
#include "suites/engine/engine_cases.h"
#include "suites/engine/engine_models.h"
#include "tests/support/arguments.h"

namespace suites {
namespace {

TEST(EngineCases, AStartNamesItsRequestAndItsWeights) {
  EngineCase c{.model = "gqa7", .start = true};
  EXPECT_EQ(c.name(), "engine/test:start/model:gqa7");
  EXPECT_EQ(c.prompt_tokens(), 32);
  EXPECT_EQ(c.max_tokens(), 8);
  EXPECT_EQ(QuestionsOf(c).size(), 1U);
  EXPECT_EQ(QuestionsOf(c)[0].prompt.size(), 32U);
  EXPECT_EQ(ModelSpec(c).type, engine::TensorType::kBf16);
  const std::string plain = c.result();
  c.options.preload = engine::Preload::kPread;
  EXPECT_EQ(c.name(), "engine/test:start/model:gqa7/preload:pread");
  EXPECT_EQ(c.result(), plain);
  c.options.preload = engine::Preload::kMmap;
  EXPECT_EQ(c.name(), "engine/test:start/model:gqa7") << "the default is not named";
  c.weights = engine::TensorType::kF32;
  EXPECT_EQ(c.name(), "engine/test:start/model:gqa7/weights:f32");
  EXPECT_NE(c.result(), plain);
  EXPECT_EQ(ModelSpec(c).type, engine::TensorType::kF32);
  const std::string f32 = c.result();
  c.options.weight_cache = engine::WeightCache::k16Bit;
  EXPECT_EQ(c.name(), "engine/test:start/model:gqa7/weights:f32/weight_cache:16bit");
  EXPECT_NE(c.result(), f32);
  const std::string cached = c.result();
  c.options.convert = engine::Convert::kDevice;
  EXPECT_EQ(c.result(), cached);
}

TEST(EngineCases, AStartDeclaresItsWorkloadAndNoRate) {
  const perfgate::bench::Work work =
      WorkOf({.model = "gqa7", .weights = engine::TensorType::kF32, .start = true}, 1);
  EXPECT_EQ(work.bytes, 0);
  EXPECT_EQ(work.flops, 0);
  EXPECT_EQ(work.ceiling, "");
  EXPECT_EQ(work.result, "engine/test:start/model:gqa7/weights:f32");
  const std::map<std::string, std::string> workload(work.workload.begin(), work.workload.end());
  EXPECT_EQ(workload.at("dtype"), "f32");
  EXPECT_EQ(workload.at("prompt_tokens"), "32");
  EXPECT_EQ(workload.at("generated_tokens"), "8");
  EXPECT_EQ(workload.at("requests"), "1");
}

// `perfgate ablate` takes the two arms of a pair for one workload: the type is that of the files.
TEST(EngineCases, AnOptionOfTheStartChangesNoWorkload) {
  EngineCase c{.model = "gqa7", .weights = engine::TensorType::kF32, .generated = 32};
  const perfgate::bench::Work plain = WorkOf(c, 1);
  c.options.weight_cache = engine::WeightCache::k16Bit;
  EXPECT_EQ(WorkOf(c, 1).workload, plain.workload);
  EXPECT_LT(WorkOf(c, 1).bytes, 0.6 * plain.bytes);
}

TEST(EnginePool, AStartIsAnEngineOfItsOwnWithTheSameOptions) {
  int wrapped = 0;
  EnginePool pool([&](const EngineCase&) {
    ++wrapped;
    return engine::WrapOps();
  });
  const EngineCase c{.model = "tiny", .start = true};
  const std::string folder = pool.Model(c).path();
  EXPECT_EQ(wrapped, 0);
  const engine::Engine* const open = pool.Open(c).engine.get();
  const Started one = pool.Start(c), two = pool.Start(c);
  EXPECT_EQ(wrapped, 3);
  EXPECT_NE(one.engine.get(), two.engine.get());
  EXPECT_EQ(one.engine->capacity(), open->capacity());
  EXPECT_EQ(one.engine->options(), open->options());
  EXPECT_EQ(pool.Open(c).engine.get(), open);
  EXPECT_EQ(pool.Model(c).path(), folder);
  EXPECT_EQ(one.stages.stages().size(), 4U);

  EngineCase f32 = c;
  f32.weights = engine::TensorType::kF32;
  EXPECT_NE(pool.Model(f32).path(), folder);
  EXPECT_GT(pool.Model(f32).bytes(), pool.Model(c).bytes() * 3 / 2);
  EXPECT_EQ(pool.Start(f32).engine->weights().embedding.data.dtype, kernels::DType::kF32);
}

// Logits of NaN from some draw on, which end a request.
class NotFiniteLater : public engine::ForwardingOps {
 public:
  using ForwardingOps::ForwardingOps;
  void Argmax(engine::Rows logits, std::int32_t* ids, std::uint8_t* ok) override {
    inner().Argmax(logits, ids, ok);
    *ok = ++draws_ <= 5 ? 1 : 0;
  }

 private:
  int draws_ = 0;
};

TEST(EngineStart, IsItsOpeningAndItsRequest) {
  const EngineCase c{.model = "tiny", .start = true};
  EnginePool sound({});
  const Took took = StartAndAsk(sound, c, QuestionsOf(c));
  EXPECT_GT(took.open, 0);
  EXPECT_DOUBLE_EQ(took.timed, took.open + took.request);
  EXPECT_FALSE(took.stages.back()) << "prebuild did not run";
  EXPECT_EQ(StartAndAsk(sound, c, QuestionsOf(c)).hash, took.hash);
}

TEST(EngineStart, ARequestOfOtherTokensIsAFailure) {
  const EngineCase c{.model = "tiny", .start = true};
  EnginePool broken([](const EngineCase&) {
    return [](std::unique_ptr<engine::Ops> ops) -> std::unique_ptr<engine::Ops> {
      return std::make_unique<NotFiniteLater>(std::move(ops));
    };
  });
  try {
    StartAndAsk(broken, c, QuestionsOf(c));
    FAIL() << "the case is of 8 tokens";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the case is of 8 tokens, the engine gave 5");
  }
}

// What decides about an option of the start, by the policy of the suite on a GPU.
TEST(EnginePolicy, AStartIsJudgedAsAWholeAndPrebuildByTheRequestToo) {
  const perfgate::Policy policy = perfgate::read_policy(perfgate::test_support::SourceFolder() +
                                                        "/baselines/policy/engine_cuda.json");
  const std::regex filter(policy.filter);
  for (const EngineCase& c : CudaCases()) {
    if (c.start || c.weights == engine::TensorType::kF32) {
      EXPECT_TRUE(std::regex_search(c.name(), filter)) << c.name();
    }
    if (!c.start) {
      continue;
    }
    const auto rule = [&](const char* metric) {
      return perfgate::column_policy(
          policy, c.name() + "/manual_time",
          {metric, "s", perfgate::Direction::kLower, perfgate::Kind::kTime});
    };
    EXPECT_TRUE(rule("real_time").gate);
    EXPECT_EQ(rule("real_time").tolerance, 0.05);
    EXPECT_EQ(rule("request").gate, c.options.prebuild > 0) << c.name();
    for (const char* metric : {"open", "ttft", "tpot", "start_config", "start_device",
                               "start_weights", "start_cache", "start_prebuild"}) {
      EXPECT_FALSE(rule(metric).gate) << metric;
    }
  }
}

}  // namespace
}  // namespace suites
