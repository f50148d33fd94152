// SPDX-License-Identifier: Apache-2.0
#include "engine/model/mxfp4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "kernels/gemv_mxfp4.h"
#include "tests/engine/errors.h"
#include "tests/engine/model_folder.h"

namespace engine {
namespace {

using ::testing::HasSubstr;

struct Block {
  std::array<std::uint8_t, 16> codes;
  std::uint8_t scale;

  double Value(std::size_t i) const {
    const unsigned code = i % 2 == 0 ? codes[i / 2] : codes[i / 2] >> 4U;
    return kernels::Mxfp4Scale(scale) * kernels::Mxfp4Value(code);
  }
};

Block Quantized(const std::array<float, 32>& weights) {
  Block block{};
  block.scale = QuantizeBlock(weights, block.codes);
  return block;
}

TEST(Mxfp4, ValuesOfTheFormatStay) {
  for (const float scale : {1.0F, 0x1p-20F, 0x1p+30F}) {
    std::array<float, 32> weights;
    for (std::size_t i = 0; i < 32; ++i) {
      weights[i] = static_cast<float>(kernels::Mxfp4Value(static_cast<unsigned>(i))) * scale;
    }
    const Block block = Quantized(weights);
    for (std::size_t i = 0; i < 32; ++i) {
      EXPECT_EQ(block.Value(i), static_cast<double>(weights[i])) << i;
      EXPECT_EQ(std::signbit(block.Value(i)), std::signbit(weights[i])) << i;
    }
  }
}

TEST(Mxfp4, MiddlesGoToTheEvenCode) {
  // 4 makes the scale 1.
  const std::array<float, 32> weights = {4, 0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.0F, -0.25F};
  const Block block = Quantized(weights);
  const double expected[] = {4, 0, 1, 1, 2, 2, 4, 4, 0};
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(block.Value(i), expected[i]) << weights[i];
  }
  EXPECT_EQ(Quantized({7.9F}).Value(0), 6) << "what is above 6 becomes 6";
}

TEST(Mxfp4, EachWeightGoesToTheNearestValue) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 500; ++round) {
    std::array<float, 32> weights;
    for (float& w : weights) {
      w = std::ldexp(normal(random), round % 60 - 30);
    }
    const Block block = Quantized(weights);
    const double scale = kernels::Mxfp4Scale(block.scale);
    for (std::size_t i = 0; i < 32; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (unsigned code = 0; code < 16; ++code) {
        nearest = std::min(
            nearest, std::abs(static_cast<double>(weights[i]) - scale * kernels::Mxfp4Value(code)));
      }
      ASSERT_EQ(std::abs(static_cast<double>(weights[i]) - block.Value(i)), nearest);
    }
  }
}

TEST(Mxfp4, EndsOfTheRange) {
  EXPECT_EQ(Quantized({}).scale, 0) << "zeros";
  EXPECT_EQ(Quantized({}).Value(31), 0);
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(Quantized({largest}).Value(0), 6 * 0x1p125);
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(Quantized({least}).scale, 0);
  EXPECT_EQ(Quantized({0x1p-127F}).Value(0), 0x1p-127) << "one times the smallest scale";
}

TEST(Mxfp4, AModelRunsCloseToItsOriginal) {
  const ModelFolder model("gqa7", TensorType::kBf16);
  const TempFolder quantized;
  ThreadPool pool(2);
  QuantizeModel(model.path(), quantized.path(), pool);
  Engine original(OneThread(), model.path(), nullptr, true);
  EngineOptions options = OneThread();
  Engine engine(options, quantized.path(), nullptr, true);
  EXPECT_TRUE(engine.config().mxfp4);
  EXPECT_EQ(engine.device()["linear"], "mxfp4 vector");
  EXPECT_EQ(engine.device()["lm_head"], "vector");
  const std::vector<float> truth = original.Logits(SomeIds(20), false);
  const std::vector<float> logits = engine.Logits(SomeIds(20), false);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    difference += std::pow(static_cast<double>(logits[i] - truth[i]), 2);
    size += std::pow(static_cast<double>(truth[i]), 2);
  }
  // A block's rounding is about 12 % of a uniform weight; seen: 0.27 of the logits.
  EXPECT_GT(std::sqrt(difference / size), 0.05);
  EXPECT_LT(std::sqrt(difference / size), 0.4);

  options.threads = 3;
  options.fuse_qkv = Toggle::kOn;
  options.ffn = Ffn::kBatched;
  EXPECT_EQ(Engine(options, quantized.path(), nullptr, true).Logits(SomeIds(20), true), logits);
}

TEST(Mxfp4, RefusesWhatItCannotDo) {
  ThreadPool pool(1);
  const TempFolder out;
  const ModelFolder odd("odd");
  EXPECT_THAT(ErrorOf([&] { QuantizeModel(odd.path(), out.path(), pool); }),
              HasSubstr("multiple of 32"));
  const ModelFolder tiny("tiny");
  EXPECT_THAT(ErrorOf([&] { QuantizeModel(tiny.path(), tiny.path(), pool); }),
              HasSubstr("is the model itself"));
  QuantizeModel(tiny.path(), out.path(), pool);
  const TempFolder again;
  EXPECT_THAT(ErrorOf([&] { QuantizeModel(out.path(), again.path(), pool); }),
              HasSubstr("MXFP4 already"));
  EngineOptions exact = OneThread();
  exact.numerics = NumericsMode::kHfExact;
  EXPECT_THAT(ErrorOf([&] { Engine engine(exact, out.path()); }), HasSubstr("hf_exact"));
}

}  // namespace
}  // namespace engine
