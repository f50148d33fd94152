// SPDX-License-Identifier: Apache-2.0
// Models whose config.json and tensors do not belong together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "engine/model/text_file.h"
#include "engine/ops/cpu/cpu_ops.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/engine/errors.h"
#include "tests/engine/model_folder.h"

namespace engine {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

void ChangeConfig(const std::string& folder, const json& changes) {
  const std::string path = folder + "/config.json";
  json root = ReadJson(path);
  root.update(changes);
  perfgate::write_file_atomically(path, root.dump());
}

// The tensors again, changed by `change`; zeros where the model has none of that name.
void ChangeTensors(const std::string& folder,
                   const std::function<void(std::vector<TensorToWrite>&)>& change) {
  const Checkpoint old(folder);
  std::vector<TensorToWrite> tensors;
  for (const auto& [name, tensor] : old.tensors()) {
    tensors.push_back({name, tensor.info->type, tensor.info->shape});
  }
  change(tensors);
  WriteSafetensors(folder + "/model.safetensors", tensors, {},
                   [&](const TensorToWrite& tensor, std::uint64_t at, std::span<std::byte> out) {
                     const Tensor* const from = old.Find(tensor.name);
                     if (from != nullptr && from->info->type == tensor.type) {
                       std::memcpy(out.data(), from->bytes.data() + at, out.size());
                     } else {
                       std::memset(out.data(), 0, out.size());
                     }
                   });
}

std::string LoadError(const std::string& folder, NumericsMode numerics = NumericsMode::kFast) {
  EngineOptions options = OneThread();
  options.numerics = numerics;
  return ErrorOf([&] { Engine engine(options, folder); });
}

TEST(Load, Mxfp4RowsAreWholeBlocks) {
  for (const std::int64_t hidden : {1, 33}) {
    const TempFolder folder;
    SynthSpec spec{FindPreset("tiny").config, TensorType::kF32, 1, false};
    spec.config.hidden = hidden;
    ThreadPool pool(1);
    WriteSynth(spec, folder.path(), pool);
    ChangeConfig(folder.path(), {{"quantization_config", {{"quant_method", "perfgate_mxfp4"}}}});
    ChangeTensors(folder.path(), [](std::vector<TensorToWrite>& tensors) {
      std::vector<TensorToWrite> quantized;
      for (const TensorToWrite& tensor : tensors) {
        if (tensor.name.ends_with("_proj.weight")) {
          const std::uint64_t blocks = tensor.shape[1] / 32;
          quantized.push_back(
              {tensor.name + "_blocks", TensorType::kU8, {tensor.shape[0], blocks, 16}});
          quantized.push_back(
              {tensor.name + "_scales", TensorType::kU8, {tensor.shape[0], blocks}});
        } else {
          quantized.push_back(tensor);
        }
      }
      tensors = quantized;
    });
    EXPECT_THAT(LoadError(folder.path()),
                AllOf(HasSubstr("q_proj.weight_blocks"), HasSubstr("blocks of 32")))
        << hidden;
  }
}

TEST(Load, EveryTensorIsRead) {
  const ModelFolder fewer("tiny");
  ChangeConfig(fewer.path(), {{"num_hidden_layers", 1}});
  EXPECT_THAT(LoadError(fewer.path()),
              AllOf(HasSubstr("9 tensor(s)"),
                    HasSubstr("\"model.layers.1.input_layernorm.weight\""), HasSubstr(", ...")));
  const ModelFolder biases("odd");
  ChangeConfig(biases.path(), {{"attention_bias", false}});
  EXPECT_THAT(LoadError(biases.path()), HasSubstr("self_attn.k_proj.bias"));
  const ModelFolder old("tiny");
  ChangeTensors(old.path(), [](std::vector<TensorToWrite>& tensors) {
    tensors.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", TensorType::kF32, {8}});
  });
  EXPECT_EQ(LoadError(old.path()), "no error");
}

TEST(Load, ATiedHeadIsTheEmbedding) {
  const ModelFolder untied("tiny");
  ChangeConfig(untied.path(), {{"tie_word_embeddings", true}});
  EXPECT_THAT(LoadError(untied.path()),
              AllOf(HasSubstr("\"lm_head.weight\""), HasSubstr("tie_word_embeddings")));
  const ModelFolder twice("gqa7");
  const Checkpoint checkpoint(twice.path());
  const Tensor& embedding = *checkpoint.Find("model.embed_tokens.weight");
  std::vector<TensorToWrite> tensors = {
      {"lm_head.weight", TensorType::kF32, embedding.info->shape}};
  for (const auto& [name, tensor] : checkpoint.tensors()) {
    tensors.push_back({name, tensor.info->type, tensor.info->shape});
  }
  WriteSafetensors(twice.path() + "/model.safetensors", tensors, {},
                   [&](const TensorToWrite& out, std::uint64_t at, std::span<std::byte> bytes) {
                     const Tensor* const own = checkpoint.Find(out.name);
                     const Tensor& from = own == nullptr ? embedding : *own;
                     std::memcpy(bytes.data(), from.bytes.data() + at, bytes.size());
                   });
  EXPECT_EQ(LoadError(twice.path()), "no error");
}

TEST(Load, HfExactNeedsOneType) {
  const ModelFolder model("tiny", TensorType::kBf16);
  ChangeTensors(model.path(), [](std::vector<TensorToWrite>& tensors) {
    for (TensorToWrite& tensor : tensors) {
      if (tensor.name == "model.embed_tokens.weight") {
        tensor.type = TensorType::kF32;
      }
    }
  });
  EXPECT_EQ(LoadError(model.path()), "no error");
  EXPECT_THAT(LoadError(model.path(), NumericsMode::kHfExact), HasSubstr("F32 and of BF16"));
}

TEST(Load, AFileThatIsCutMeanwhileIsAnErrorOfPread) {
  const ModelFolder model("tiny");
  EngineOptions options = OneThread();
  options.preload = Preload::kPread;
  const ModelConfig config = ReadModelConfig(model.path());
  const Checkpoint checkpoint(model.path());
  CpuOps ops(options);
  ops.Reserve(std::size_t{1} << 22U);
  std::filesystem::resize_file(model.path() + "/model.safetensors", 8192);
  EXPECT_THAT(ErrorOf([&] { PlaceWeights(checkpoint, config, options, true, ops, &ops); }),
              AllOf(HasSubstr("model.safetensors: tensor"), HasSubstr("has become shorter")));
}

}  // namespace
}  // namespace engine
