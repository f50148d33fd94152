// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/io/atomic_file.h"
#include "tests/engine/errors.h"
#include "tests/engine/temp_folder.h"

namespace engine {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

json Base() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"hidden_size", 64},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"intermediate_size", 160},
          {"vocab_size", 256},
          {"max_position_embeddings", 512},
          {"rms_norm_eps", 1e-5},
          {"rope_theta", 500000.0}};
}

ModelConfig With(const json& changes) {
  json root = Base();
  root.update(changes);
  return ParseModelConfig(root, "config.json");
}

std::string Refused(const json& changes) {
  return ErrorOf([&] { With(changes); });
}

TEST(ModelConfig, Sizes) {
  const ModelConfig config = With(json::object());
  EXPECT_EQ(config.head_dim, 16);
  EXPECT_EQ(config.qkv_size(), 128);
  EXPECT_EQ(config.parameters(),
            2 * (64 * 128 + 64 * 64 + 3 * 64 * 160 + 2 * 64) + 64 + 2 * 256 * 64);
  EXPECT_FALSE(config.tied || config.qkv_bias || config.o_bias || config.mxfp4);
  EXPECT_TRUE(config.notes.empty());
  EXPECT_EQ(With({{"head_dim", 32}}).q_size(), 128) << "head_dim need not be hidden / heads";
  EXPECT_EQ(With({{"num_key_value_heads", nullptr}}).kv_heads, 4);
}

TEST(ModelConfig, BiasesFollowTheFamily) {
  const ModelConfig qwen = With({{"architectures", {"Qwen2ForCausalLM"}}});
  EXPECT_TRUE(qwen.qkv_bias);
  EXPECT_FALSE(qwen.o_bias);
  const ModelConfig llama = With({{"attention_bias", true}});
  EXPECT_TRUE(llama.qkv_bias && llama.o_bias);
}

TEST(ModelConfig, RopeOfBothVersions) {
  EXPECT_EQ(With(json::object()).rope.theta, 500000);
  EXPECT_EQ(With({{"rope_scaling", nullptr}}).rope.theta, 500000);
  EXPECT_EQ(With({{"rope_parameters", {{"rope_theta", 7.5}, {"rope_type", "default"}}}}).rope.theta,
            7.5)
      << "version 5 wins";
  json bare = Base();
  bare.erase("rope_theta");
  const ModelConfig noted = ParseModelConfig(bare, "c");
  EXPECT_EQ(noted.rope.theta, 10000);
  EXPECT_THAT(noted.notes, ElementsAre(HasSubstr("rope_theta")));
  const json scaling = {{"factor", 32.0},
                        {"low_freq_factor", 1.0},
                        {"high_freq_factor", 4.0},
                        {"original_max_position_embeddings", 8192}};
  for (const char* type : {"rope_type", "type"}) {
    json v4 = scaling;
    v4[type] = "llama3";
    const auto llama3 = With({{"rope_scaling", v4}}).rope.llama3;
    ASSERT_TRUE(llama3);
    EXPECT_EQ(llama3->factor, 32);
    EXPECT_EQ(llama3->original_max_position, 8192);
  }
  EXPECT_THAT(Refused({{"rope_scaling", {{"type", "yarn"}, {"factor", 2.0}}}}),
              HasSubstr(R"(rope_scaling: type is "yarn")"));
  EXPECT_THAT(Refused({{"rope_scaling", {{"factor", 2.0}}}}), HasSubstr("rope_type is missing"));
  EXPECT_THAT(Refused({{"rope_parameters", {{"rope_type", "llama3"}}}}),
              HasSubstr("rope_parameters: factor is missing"));
}

TEST(ModelConfig, RopeThatCannotBeMeant) {
  const json llama3 = {{"rope_type", "llama3"},
                       {"factor", 32.0},
                       {"low_freq_factor", 1.0},
                       {"high_freq_factor", 4.0},
                       {"original_max_position_embeddings", 8192}};
  const json plain = {{"rope_type", "default"}, {"rope_theta", 500000.0}};
  for (const auto& [v5, v4] : {std::pair{plain, llama3}, std::pair{llama3, plain}}) {
    EXPECT_THAT(Refused({{"rope_parameters", v5}, {"rope_scaling", v4}}),
                HasSubstr("rope_parameters differs from rope_scaling"));
  }
  EXPECT_THAT(Refused({{"rope_parameters", plain},
                       {"rope_scaling", {{"type", "default"}, {"rope_theta", 7.0}}}}),
              HasSubstr("rope_parameters differs from rope_scaling"));
  EXPECT_EQ(Refused({{"rope_parameters", llama3}, {"rope_scaling", llama3}}), "no error");
  for (const auto& [key, value] : {std::pair{"factor", 0.0},
                                   {"factor", -8.0},
                                   {"factor", 0.5},
                                   {"factor", 1e9},
                                   {"low_freq_factor", 1e-9},
                                   {"high_freq_factor", 1e30}}) {
    json bad = llama3;
    bad[key] = value;
    EXPECT_THAT(Refused({{"rope_scaling", bad}}), HasSubstr(key));
  }
  for (const double theta : {0.0, -1.0, 0.5, 1e300}) {
    EXPECT_THAT(Refused({{"rope_theta", theta}}), HasSubstr("rope_theta is"));
  }
}

TEST(ModelConfig, TheTypeFitsTheArchitecture) {
  EXPECT_EQ(Refused({{"model_type", "llama"}}), "no error");
  for (const char* type : {"qwen2", "mistral", "llama4"}) {
    EXPECT_THAT(Refused({{"model_type", type}}),
                HasSubstr("model_type is \"" + std::string(type) + "\""));
  }
  EXPECT_THAT(Refused({{"architectures", {"Qwen2ForCausalLM"}}, {"model_type", "llama"}}),
              HasSubstr("model_type"));
}

TEST(ModelConfig, DtypeAndEndTokens) {
  EXPECT_EQ(With({{"torch_dtype", "bfloat16"}}).dtype, "bfloat16");
  EXPECT_EQ(With({{"torch_dtype", "bfloat16"}, {"dtype", "float32"}}).dtype, "float32");
  EXPECT_THAT(With({{"eos_token_id", 7}}).eos, ElementsAre(7));
  EXPECT_THAT(With({{"eos_token_id", {7, 9}}}).eos, ElementsAre(7, 9));
  EXPECT_THAT(Refused({{"eos_token_id", 256}}), HasSubstr("eos_token_id has 256"));
  const TempFolder folder;
  perfgate::write_file_atomically(folder / "config.json", Base().dump());
  EXPECT_TRUE(ReadModelConfig(folder.path()).eos.empty());
  perfgate::write_file_atomically(folder / "generation_config.json", R"({"eos_token_id":[3,4]})");
  EXPECT_THAT(ReadModelConfig(folder.path()).eos, ElementsAre(3, 4));
}

TEST(ModelConfig, RefusesByName) {
  EXPECT_THAT(Refused({{"architectures", {"MixtralForCausalLM"}}}),
              HasSubstr(R"(config.json: architectures has "MixtralForCausalLM")"));
  EXPECT_THAT(Refused({{"architectures", nullptr}}), HasSubstr("architectures"));
  EXPECT_THAT(Refused({{"use_sliding_window", true}}), HasSubstr("use_sliding_window"));
  EXPECT_EQ(Refused({{"use_sliding_window", false}, {"sliding_window", 4096}}), "no error");
  EXPECT_THAT(Refused({{"layer_types", {"full_attention", "sliding_attention"}}}),
              HasSubstr("layer_types"));
  EXPECT_THAT(Refused({{"mlp_bias", true}}), HasSubstr("mlp_bias"));
  EXPECT_THAT(Refused({{"hidden_act", "gelu"}}), HasSubstr("hidden_act"));
  EXPECT_THAT(Refused({{"quantization_config", {{"quant_method", "gptq"}}}}),
              HasSubstr(R"(quant_method is "gptq")"));
  EXPECT_TRUE(With({{"quantization_config", {{"quant_method", "perfgate_mxfp4"}}}}).mxfp4);
  EXPECT_THAT(Refused({{"hidden_size", 0}}), HasSubstr("hidden_size is 0"));
  EXPECT_THAT(Refused({{"hidden_size", 1e30}}), HasSubstr("hidden_size is 1e+30"));
  EXPECT_THAT(Refused({{"hidden_size", "64"}}), HasSubstr("hidden_size is \"64\""));
  EXPECT_THAT(Refused({{"hidden_size", nullptr}}), HasSubstr("hidden_size is missing"));
  EXPECT_THAT(Refused({{"hidden_size", 66}}), HasSubstr("no multiple of num_attention_heads"));
  EXPECT_THAT(Refused({{"num_key_value_heads", 3}}), HasSubstr("num_key_value_heads 3"));
  EXPECT_THAT(Refused({{"head_dim", 15}}), HasSubstr("head_dim is 15"));
  EXPECT_THAT(Refused({{"head_dim", 258}}), HasSubstr("head_dim is 258"));
  EXPECT_THAT(Refused({{"rms_norm_eps", 0}}), HasSubstr("rms_norm_eps is 0"));
  EXPECT_THAT(Refused({{"tie_word_embeddings", 1}}), HasSubstr("tie_word_embeddings is 1"));
}

}  // namespace
}  // namespace engine
