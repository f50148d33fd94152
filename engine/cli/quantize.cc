// SPDX-License-Identifier: Apache-2.0
// engine quantize: a bf16 or f32 model as one with MXFP4 projections.
#include <cstdio>
#include <memory>
#include <string>

#include "engine/cli/commands.h"
#include "engine/model/checkpoint.h"
#include "engine/model/mxfp4.h"

namespace engine::cli {

Command AddQuantize(CLI::App& app) {
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>();
  app.add_option("--model", *from, "model folder, bf16 or f32")->required()->type_name("FOLDER");
  app.add_option("--out", *to, "folder to write")->required()->type_name("FOLDER");
  auto force = std::make_shared<bool>(false);
  app.add_flag("--force", *force, "replace the weights that are in the folder");
  return [from, to, force] {
    ThreadPool pool(AvailableCpus());
    QuantizeModel(*from, *to, pool, *force);
    std::printf("%s: %.1f MB of weights, %.1f MB before\n", to->c_str(),
                static_cast<double>(Checkpoint(*to).bytes()) * 1e-6,
                static_cast<double>(Checkpoint(*from).bytes()) * 1e-6);
  };
}

}  // namespace engine::cli
