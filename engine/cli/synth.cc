// SPDX-License-Identifier: Apache-2.0
// engine synth: writes a model whose numbers are a function of a seed.
#include "engine/model/synth.h"

#include <cstdio>
#include <memory>
#include <string>

#include "engine/cli/commands.h"
#include "engine/error.h"

namespace engine::cli {
namespace {

struct SynthArguments {
  std::string preset, out, type = "bf16";
  std::uint64_t seed = 1;
  bool peaked = false, force = false;
};

void RunSynth(const SynthArguments& arguments) {
  if (arguments.type != "bf16" && arguments.type != "f32") {
    throw Error(Exit::kUsage, "--dtype=" + arguments.type + ": expected bf16 or f32");
  }
  const SynthSpec spec{FindPreset(arguments.preset).config,
                       arguments.type == "bf16" ? TensorType::kBf16 : TensorType::kF32,
                       arguments.seed, arguments.peaked};
  ThreadPool pool(AvailableCpus());
  WriteSynth(spec, arguments.out, pool, arguments.force);
  std::uint64_t bytes = 0;
  for (const TensorToWrite& tensor : SynthTensors(spec)) {
    bytes += ByteSize(tensor.name, tensor.type, tensor.shape);
  }
  std::printf("%s: %s, %s, seed %llu%s: %.1f MB of weights\n", arguments.out.c_str(),
              arguments.preset.c_str(), arguments.type.c_str(),
              static_cast<unsigned long long>(spec.seed), spec.peaked ? ", peaked" : "",
              static_cast<double>(bytes) * 1e-6);
}

}  // namespace

Command AddSynth(CLI::App& app) {
  auto arguments = std::make_shared<SynthArguments>();
  std::string presets = "one of";
  for (const Preset& preset : Presets()) {
    presets += "\n" + std::string(preset.name) + ": " + std::string(preset.help);
  }
  app.add_option("--preset", arguments->preset, presets)->required()->type_name("NAME");
  app.add_option("--out", arguments->out, "folder to write [the preset's name]")
      ->type_name("FOLDER");
  app.add_option("--dtype", arguments->type, "of the weights [bf16]")->type_name("bf16|f32");
  app.add_option("--seed", arguments->seed, "of the weights [1]")->type_name("N");
  app.add_flag("--peaked", arguments->peaked, "logits with a clear winner");
  app.add_flag("--force", arguments->force, "replace the weights that are in the folder");
  return [arguments] {
    if (arguments->out.empty()) {
      arguments->out = arguments->preset;
    }
    RunSynth(*arguments);
  };
}

}  // namespace engine::cli
