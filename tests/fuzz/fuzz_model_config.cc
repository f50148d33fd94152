// SPDX-License-Identifier: Apache-2.0
// config.json of a model: it is refused with a reason, or its sizes can be computed with.
#include <string>
#include <string_view>

#include "engine/error.h"
#include "engine/model/model_config.h"
#include "engine/model/text_file.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(model_config) {
  using perfgate::fuzz::require;
  try {
    const engine::ModelConfig config =
        engine::ParseModelConfig(perfgate::parse_strict_json(bytes, "fuzz"), "fuzz");
    require(config.heads % config.kv_heads == 0 && config.head_dim % 2 == 0);
    require(config.hidden >= 1 && config.layers >= 1 && config.ffn >= 1 && config.vocab >= 1);
    require(config.rope.theta > 0 && config.rms_eps > 0);
    for (const std::int32_t id : config.eos) {
      require(id >= 0 && id < config.vocab);
    }
  } catch (const engine::Error& error) {
    require(std::string(error.what()).starts_with("fuzz:"));
  }
}
