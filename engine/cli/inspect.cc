// SPDX-License-Identifier: Apache-2.0
// engine inspect: what a model folder holds, checked as `run` would.
#include <cinttypes>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "engine/cli/commands.h"
#include "engine/decode/weights.h"
#include "engine/model/checkpoint.h"
#include "engine/model/cut_file.h"
#include "engine/model/model_config.h"
#include "engine/ops/ops.h"
#include "perfgate/base/text/join.h"

namespace engine::cli {
namespace {

std::string ShapeText(const TensorInfo& info) {
  std::string text;
  for (const std::uint64_t size : info.shape) {
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  }
  return text.empty() ? "scalar" : text;
}

void PrintConfig(const ModelConfig& config) {
  const auto number = [](std::int64_t value) { return static_cast<long long>(value); };
  std::printf("architecture   %s, %s\n", std::string(Name(config.family)).c_str(),
              config.dtype.empty() ? "no dtype given" : config.dtype.c_str());
  std::printf("layers         %lld of hidden size %lld, feed-forward %lld\n", number(config.layers),
              number(config.hidden), number(config.ffn));
  std::printf("attention      %lld heads on %lld keys of %lld%s%s\n", number(config.heads),
              number(config.kv_heads), number(config.head_dim), config.qkv_bias ? ", qkv bias" : "",
              config.o_bias ? ", o bias" : "");
  std::printf("vocabulary     %lld%s\n", number(config.vocab),
              config.tied ? ", embedding is lm_head" : "");
  std::printf("positions      %lld, rope theta %g%s\n", number(config.max_positions),
              config.rope.theta, config.rope.llama3 ? ", llama3 scaling" : "");
  std::printf("parameters     %lld\n", number(config.parameters()));
  for (const std::string& note : config.notes) {
    std::printf("note           %s\n", note.c_str());
  }
}

void RunInspect(const std::string& folder, bool tensors) {
  TellCutFiles();
  const ModelConfig config = ReadModelConfig(folder);
  const Checkpoint checkpoint(folder);
  Measure unused;
  const ModelWeights weights =
      PlaceWeights(checkpoint, config, EngineOptions{}, true, unused, nullptr);
  PrintConfig(config);
  std::map<std::string_view, std::size_t> types;
  for (const auto& [name, tensor] : checkpoint.tensors()) {
    ++types[Name(tensor.info->type)];
  }
  std::string by_type;
  for (const auto& [type, count] : types) {
    perfgate::AppendItem(by_type, fmt::format("{} {}", count, type));
  }
  std::printf("tensors        %zu (%s), %.1f MB in %zu file(s)\n", checkpoint.tensors().size(),
              by_type.c_str(), static_cast<double>(checkpoint.bytes()) * 1e-6, checkpoint.shards());
  std::printf("per token      %.1f MB of weights are read\n",
              static_cast<double>(weights.bytes_per_token) * 1e-6);
  std::printf("header digest  %016" PRIx64 "\n", checkpoint.digest());
  if (tensors) {
    for (const auto& [name, tensor] : checkpoint.tensors()) {
      std::printf("%-50s %-5s %s\n", name.c_str(), std::string(Name(tensor.info->type)).c_str(),
                  ShapeText(*tensor.info).c_str());
    }
  }
}

}  // namespace

Command AddInspect(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  auto tensors = std::make_shared<bool>(false);
  app.add_option("--model", *folder, "model folder")->required()->type_name("FOLDER");
  app.add_flag("--tensors", *tensors, "list every tensor");
  return [folder, tensors] { RunInspect(*folder, *tensors); };
}

}  // namespace engine::cli
