// SPDX-License-Identifier: Apache-2.0
// engine.h: a model, opened with options, that answers requests.
//
//   engine::Engine engine(options, "folder");
//   engine::Request request{.prompt = {72, 105}, .max_tokens = 16};
//   engine::Result result = engine.Generate({&request, 1})[0];
//
// Engines are independent of each other; one engine serves one caller at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/decode/decoder.h"
#include "engine/decode/metrics.h"
#include "engine/decode/request.h"
#include "engine/decode/step_pipeline.h"
#include "engine/decode/weights.h"
#include "engine/model/checkpoint.h"
#include "engine/model/model_config.h"
#include "engine/ops/ops.h"
#include "engine/options.h"

namespace engine {

// Puts ops around those of the device, to measure or to disturb them: engine/decode/profile.h.
using WrapOps = std::function<std::unique_ptr<Ops>(std::unique_ptr<Ops>)>;

class Engine {
 public:
  // Opens the model and readies everything; the stages are added to `timer`. `all_logits`: makes
  // room for Logits(). Throws Error: options that contradict each other or the model, a model that
  // is malformed or not implemented, no memory.
  Engine(const EngineOptions& options, const std::string& folder, StageTimer* timer = nullptr,
         bool all_logits = false, const WrapOps& wrap = {});

  const EngineOptions& options() const { return options_; }
  const ModelConfig& config() const { return config_; }
  const Checkpoint& checkpoint() const { return *checkpoint_; }
  const ModelWeights& weights() const { return weights_; }
  // What runs: the device's own description, and what the model changes in it.
  nlohmann::ordered_json device() const;
  std::size_t cache_bytes() const;
  std::int64_t capacity() const { return sizes_.capacity; }  // positions per sequence

  // Answers up to options().batch requests together. Prompts are fed one after the other, then the
  // sequences advance in steps of one token each. Throws Error(kUsage) naming every request that
  // cannot be served, before any is.
  std::vector<Result> Generate(std::span<const Request> requests, const OnToken& on_token = {},
                               const OnEnd& on_end = {});

  // Logits of every position of `tokens`: [tokens, vocab]. Fed as a prompt, or token by token where
  // `incremental`. Throws Error(kUsage) as Generate() does. Needs all_logits.
  std::vector<float> Logits(std::span<const std::int32_t> tokens, bool incremental);

 private:
  struct Active;
  void Prebuild();
  // As rows_, from position `first` on.
  void SetRows(std::span<const std::int32_t> tokens, std::int32_t first, std::int32_t sequence);
  std::optional<Finish> Accept(Active& one, std::int32_t id, const Uncertainty* uncertainty,
                               const OnToken& on_token) const;
  void StartStep(std::span<Active* const> active);
  bool EndsWithNext(const Active& one) const;
  void TakeTokens(std::span<Active* const> active, const OnToken& on_token, const OnEnd& on_end);
  void End(Active& one, std::size_t row, Finish finish, const OnEnd& on_end);
  void Begin(Active& one, const OnToken& on_token, const OnEnd& on_end);

  EngineOptions options_;
  ModelConfig config_;
  std::unique_ptr<Checkpoint> checkpoint_;
  std::unique_ptr<Ops> ops_;
  ModelWeights weights_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<StepPipeline> steps_;
  DecoderSizes sizes_;
  DType cache_type_ = DType::kF32;
  std::vector<float> host_logits_;  // one row
  std::vector<Sampling> how_;       // likewise
  std::vector<RowInput> rows_;      // of the step that is fed next
};

}  // namespace engine
