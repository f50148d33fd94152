// SPDX-License-Identifier: Apache-2.0
// engine logits: the logits of every position of a prompt, as a safetensors file.
#include <cstring>
#include <memory>
#include <string>

#include "engine/cli/commands.h"
#include "engine/cli/engine_arguments.h"
#include "engine/decode/engine.h"
#include "engine/model/cut_file.h"

namespace engine::cli {
namespace {

struct LogitsArguments {
  std::string model, ids, out;
  bool incremental = false;
  EngineArguments engine;
};

void RunLogits(const LogitsArguments& arguments) {
  TellCutFiles();
  Engine engine(arguments.engine.Options(), arguments.model, nullptr, true);
  const std::vector<std::int32_t> ids = ParseIds(arguments.ids, "--prompt-ids");
  const std::vector<float> logits = engine.Logits(ids, arguments.incremental);
  const TensorToWrite tensor{
      "logits", TensorType::kF32, {ids.size(), static_cast<std::uint64_t>(engine.config().vocab)}};
  WriteSafetensors(arguments.out, {tensor}, {{"options", ToJson(engine.options()).dump()}},
                   [&](const TensorToWrite&, std::uint64_t at, std::span<std::byte> out) {
                     std::memcpy(out.data(), std::as_bytes(std::span(logits)).data() + at,
                                 out.size());
                   });
}

}  // namespace

Command AddLogits(CLI::App& app) {
  auto arguments = std::make_shared<LogitsArguments>();
  app.add_option("--model", arguments->model, "model folder")->required()->type_name("FOLDER");
  app.add_option("--prompt-ids", arguments->ids, "token ids, separated by commas")
      ->required()
      ->type_name("IDS");
  app.add_option("--out", arguments->out, "tensor `logits`, F32 [positions, vocabulary]")
      ->required()
      ->type_name("FILE");
  app.add_flag("--incremental", arguments->incremental, "feed token by token, not as a prompt");
  arguments->engine.AddTo(app);
  return [arguments] { RunLogits(*arguments); };
}

}  // namespace engine::cli
