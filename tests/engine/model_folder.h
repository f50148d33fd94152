// SPDX-License-Identifier: Apache-2.0
// model_folder.h: a synthetic model in a folder that goes with its test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/decode/engine.h"
#include "engine/model/synth.h"
#include "tests/engine/temp_folder.h"

namespace engine {

class ModelFolder {
 public:
  explicit ModelFolder(std::string_view preset, TensorType type = TensorType::kF32,
                       bool peaked = false)
      : spec_{FindPreset(preset).config, type, 1, peaked} {
    ThreadPool pool(1);
    WriteSynth(spec_, folder_.path(), pool);
  }

  const std::string& path() const { return folder_.path(); }
  const SynthSpec& spec() const { return spec_; }

 private:
  TempFolder folder_;
  SynthSpec spec_;
};

inline EngineOptions OneThread() {
  EngineOptions options;
  options.threads = 1;
  return options;
}

inline Request Ask(std::vector<std::int32_t> prompt, std::int64_t max_tokens = 12) {
  Request request;
  request.prompt = std::move(prompt);
  request.max_tokens = max_tokens;
  return request;
}

// Ids that visit the vocabulary out of order.
inline std::vector<std::int32_t> SomeIds(std::size_t count) {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(static_cast<std::int32_t>((i * 37 + 11) % 256));
  }
  return ids;
}

}  // namespace engine
