// SPDX-License-Identifier: Apache-2.0
#include "engine/model/synth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/hash.h"
#include "engine/model/checkpoint.h"
#include "kernels/bf16.h"
#include "tests/engine/errors.h"
#include "tests/engine/temp_folder.h"

namespace engine {
namespace {

using ::testing::HasSubstr;

std::vector<float> Floats(const SynthSpec& spec, const std::string& name, std::uint64_t first,
                          std::size_t count, int threads = 1) {
  ThreadPool pool(threads);
  for (const TensorToWrite& tensor : SynthTensors(spec)) {
    if (tensor.name == name) {
      std::vector<float> values(count);
      FillSynth(spec, tensor, first, std::as_writable_bytes(std::span(values)), pool);
      return values;
    }
  }
  return {};
}

SynthSpec Tiny(const std::string& preset = "tiny") {
  return {FindPreset(preset).config, TensorType::kF32, 1, false};
}

TEST(Synth, ValuesAreFixedForever) {
  // From a transcription of the formulas into Python.
  EXPECT_EQ(UnitValue(0, 0), 0x1.8882a40000000p-1F);
  std::uint64_t hash = kFnvStart;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const float value = UnitValue(StreamOf(1, "w"), i);
    ASSERT_TRUE(value > -1 && value < 1 && value != 0);
    hash = Fnv1a(std::as_bytes(std::span(&value, 1)), hash);
  }
  EXPECT_EQ(hash, 0xa780594d32f698f3U);
}

TEST(Synth, UnitValuesAreUniform) {
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const auto value = static_cast<double>(UnitValue(StreamOf(1, "w"), i));
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 0.005);
}

TEST(Synth, PartsAndThreadsMakeTheSameTensor) {
  const std::string name = "model.layers.1.mlp.gate_proj.weight";
  const std::vector<float> whole = Floats(Tiny(), name, 0, 160 * 64);
  EXPECT_EQ(Floats(Tiny(), name, 0, 160 * 64, 3), whole);
  const std::vector<float> part = Floats(Tiny(), name, 777, 5);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 777));
  SynthSpec other = Tiny();
  other.seed = 2;
  EXPECT_NE(Floats(other, name, 0, 160 * 64), whole);
}

TEST(Synth, ScalesKeepVariance) {
  const auto rms = [](const std::vector<float>& values) {
    double sum = 0;
    for (const float v : values) {
      sum += static_cast<double>(v) * static_cast<double>(v);
    }
    return std::sqrt(sum / static_cast<double>(values.size()));
  };
  EXPECT_NEAR(rms(Floats(Tiny(), "model.layers.0.self_attn.q_proj.weight", 0, 4096)), 1.0 / 8,
              0.005);
  EXPECT_NEAR(rms(Floats(Tiny(), "model.layers.0.self_attn.o_proj.weight", 0, 4096)), 1.0 / 16,
              0.005);
  EXPECT_NEAR(rms(Floats(Tiny(), "model.embed_tokens.weight", 0, 4096)), 1, 0.05);
  for (const float v : Floats(Tiny(), "model.norm.weight", 0, 64)) {
    EXPECT_TRUE(v > 0.9F && v < 1.1F);
  }
}

TEST(Synth, PeakedRowsAreThoseOfTheEmbedding) {
  SynthSpec spec = Tiny("gqa7");
  EXPECT_EQ(SynthTensors(spec).back().name, "model.norm.weight") << "tied";
  spec.peaked = true;
  for (const char* preset : {"tiny", "odd", "gqa7", "llama1b"}) {
    const SynthSpec other{FindPreset(preset).config, TensorType::kF32, 1, true};
    std::int64_t token = 0, steps = 0;
    do {
      token = PeakedSuccessor(other, token);
      ++steps;
    } while (token != 0 && steps <= other.config.vocab);
    EXPECT_EQ(steps, other.config.vocab) << preset << ": one cycle";
  }
  const auto hidden = static_cast<std::size_t>(spec.config.hidden);
  const auto row = [&](const char* name, std::int64_t r) {
    return Floats(spec, name, static_cast<std::uint64_t>(r) * hidden, hidden);
  };
  for (const std::int64_t token : {0, 17, 319}) {
    const auto embedding = row("model.embed_tokens.weight", token);
    const auto head = row("lm_head.weight", PeakedSuccessor(spec, token));
    for (std::size_t i = 0; i < hidden; ++i) {
      ASSERT_NEAR(head[i] * std::sqrt(224.0F), embedding[i], 1e-5F);
    }
  }
}

TEST(Synth, WritesAFolderThatIsReadBack) {
  const TempFolder folder;
  ThreadPool pool(1);
  for (const char* preset : {"tiny", "odd", "gqa7"}) {
    for (const TensorType type : {TensorType::kBf16, TensorType::kF32}) {
      SynthSpec spec = Tiny(preset);
      spec.type = type;
      WriteSynth(spec, folder.path(), pool, true);
      const ModelConfig config = ReadModelConfig(folder.path());
      EXPECT_EQ(config.parameters(), spec.config.parameters());
      EXPECT_EQ(config.qkv_bias, spec.config.qkv_bias);
      EXPECT_EQ(config.o_bias, spec.config.o_bias);
      EXPECT_EQ(config.rms_eps, spec.config.rms_eps);
      EXPECT_TRUE(config.notes.empty() && config.eos.empty());
      const Checkpoint checkpoint(folder.path());
      EXPECT_EQ(checkpoint.bytes() * 8,
                Bits(type) * static_cast<std::uint64_t>(config.parameters()));
    }
  }
}

TEST(Synth, ShardsHoldTheSameTensors) {
  const TempFolder one, many;
  ThreadPool pool(2);
  WriteSynth(Tiny(), one.path(), pool);
  WriteSynth(Tiny(), many.path(), pool, false, 100000);
  const Checkpoint whole(one.path());
  const Checkpoint cut(many.path());
  EXPECT_EQ(whole.shards(), 1U);
  EXPECT_GT(cut.shards(), 2U);
  ASSERT_EQ(whole.tensors().size(), cut.tensors().size());
  for (const auto& [name, tensor] : whole.tensors()) {
    const Tensor& other = cut.Get(name, tensor.info->shape);
    EXPECT_TRUE(std::ranges::equal(tensor.bytes, other.bytes)) << name;
  }
  EXPECT_THAT(ErrorOf([&] { WriteSynth(Tiny(), many.path(), pool); }), HasSubstr("--force"));
  EXPECT_GT(Checkpoint(many.path()).shards(), 2U) << "nothing was touched";
  WriteSynth(Tiny(), many.path(), pool, true);
  EXPECT_EQ(Checkpoint(many.path()).shards(), 1U) << "nothing is left of the shards";
}

TEST(Synth, Bf16IsTheFloatRoundedOnce) {
  SynthSpec spec = Tiny();
  const auto floats = Floats(spec, "lm_head.weight", 0, 1000);
  spec.type = TensorType::kBf16;
  const auto halves = Floats(spec, "lm_head.weight", 0, 500);  // 1000 bf16
  for (std::size_t i = 0; i < 1000; ++i) {
    kernels::Bf16 half;
    std::memcpy(&half, reinterpret_cast<const char*>(halves.data()) + 2 * i, 2);
    ASSERT_EQ(half.bits, kernels::ToBf16(floats[i]).bits);
  }
}

TEST(Synth, ShapesOfTheLargePresets) {
  const auto billions = [](const char* name) {
    return static_cast<double>(FindPreset(name).config.parameters()) * 1e-9;
  };
  // As their makers publish them.
  EXPECT_NEAR(billions("qwen0.5b"), 0.494, 0.001);
  EXPECT_NEAR(billions("llama1b"), 1.236, 0.001);
  EXPECT_NEAR(billions("qwen1.5b"), 1.544, 0.001);
  EXPECT_NEAR(billions("qwen7b"), 7.616, 0.001);
  EXPECT_THAT(ErrorOf([] { FindPreset("huge"); }), HasSubstr("there are tiny, odd, gqa7"));
}

}  // namespace
}  // namespace engine
