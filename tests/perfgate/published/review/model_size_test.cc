// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/model_size.h"

#include <gtest/gtest.h>

#include <vector>

namespace perfgate::published {
namespace {

struct Named {
  const char* name;
  double lo, hi;
  double bytes_lo, bytes_hi;
};

TEST(ModelSize, ReadsParametersAndTypes) {
  const std::vector<Named> names = {
      {"8B", 8, 8, 2, 2},
      {"meta-llama/Llama-3.1-70b", 70, 70, 2, 2},
      {"mistralai/Mixtral-8x7B-v0.1", 44.8, 56, 2, 2},
      {"8x7B-MoE", 44.8, 56, 2, 2},
      {"405B-FP8", 405, 405, 1, 1},
      {"Qwen/Qwen3-30B-A3B", 30, 30, 2, 2},
      {"Qwen/Qwen3-30B-A3B-GPTQ-Int4", 30, 30, 0.5, 0.65},
      {"Qwen2.5-1.5B-Instruct-GPTQ-Int8", 1.5, 1.5, 1, 1},
      {"TheBloke/Llama-2-7B-AWQ", 7, 7, 0.5, 0.65},
      {"llama-2-7b-chat.Q4_K_M", 7, 7, 2, 2},  // the point hides the type: taken for 16 bit
      {"gpt-20b-mxfp4", 20, 20, 0.5, 0.65},
      {"facebook/opt-125m", 0.125, 0.125, 2, 2},
      {"model-13B-bf16", 13, 13, 2, 2},
      {"model-13B-fp32", 13, 13, 4, 4},
      {"Llama-4-Scout-17B-16E-Instruct-FP8-dynamic", 17, 272, 1, 1},
      {"17Bx16E", 17, 272, 2, 2},
  };
  for (const Named& named : names) {
    const auto size = ModelSizeOf(named.name);
    ASSERT_TRUE(size) << named.name;
    EXPECT_NEAR(size->parameters.lo, named.lo, 1e-9) << named.name;
    EXPECT_NEAR(size->parameters.hi, named.hi, 1e-9) << named.name;
    EXPECT_EQ(size->bytes_per_weight.lo, named.bytes_lo) << named.name;
    EXPECT_EQ(size->bytes_per_weight.hi, named.bytes_hi) << named.name;
  }
  EXPECT_EQ(ModelSizeOf("Qwen3-30B-A3B")->active, 3);
  EXPECT_FALSE(ModelSizeOf("8B")->type_stated);
  EXPECT_TRUE(ModelSizeOf("8B-bf16")->type_stated);
}

TEST(ModelSize, KnowsNoSizeWhereTheNameHasNone) {
  for (const char* name : {"", "deepseek-ai/DeepSeek-V2", "gpt2", "phi-3-mini-128k", "b", "0B",
                           "x7B8", "8Bit", "inf-b", "nanB", "99999999999B", "H100", "70B/base"}) {
    EXPECT_FALSE(ModelSizeOf(name)) << name;
  }
}

TEST(ModelSize, AddsUpMemory) {
  const MemoryEstimate memory = MemoryOf(*ModelSizeOf("70B"));
  EXPECT_NEAR(memory.weights_gb.lo, 140, 1e-9);
  EXPECT_NEAR(memory.total_gb.lo, 140 + 7 + 1, 1e-9);
  EXPECT_NEAR(memory.total_gb.hi, 140 + 70 + 4, 1e-9);
  // Mixtral 8x7B has 46.7 x 10^9 parameters: 93.4 GB of weights.
  const MemoryEstimate experts = MemoryOf(*ModelSizeOf("8x7B"));
  EXPECT_LE(experts.weights_gb.lo, 93.4);
  EXPECT_GE(experts.weights_gb.hi, 93.4);
}

TEST(ModelSize, RoundsDevicesUpToPowersOfTwo) {
  EXPECT_EQ(DevicesFor(17.8, 80), 1);
  EXPECT_EQ(DevicesFor(80, 80), 1);
  EXPECT_EQ(DevicesFor(80.1, 80), 2);
  EXPECT_EQ(DevicesFor(200, 80), 4);
  EXPECT_EQ(DevicesFor(1400, 80), 32);
}

}  // namespace
}  // namespace perfgate::published
