// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/engine.h"

#include <algorithm>
#include <utility>

#include "engine/index.h"
#include "engine/ops/cpu/cpu_hf_exact.h"
#include "engine/ops/cpu/cpu_ops.h"
#include "engine/ops/cuda_device.h"
#include "engine/ops/step_bucket.h"

namespace engine {
namespace {

// With max_seq=0; models of today name so many positions that a cache of all would not fit.
constexpr std::int64_t kDefaultPositions = 2048;

std::unique_ptr<Ops> MakeOps(const EngineOptions& options, bool bf16) {
  if (options.device == DeviceKind::kCuda) {
    return MakeCudaOps(options);
  }
  if (options.numerics == NumericsMode::kHfExact && bf16) {
    return std::make_unique<CpuHfExactOps>(options);
  }
  return std::make_unique<CpuOps>(options);
}

// What only the model decides.
void CheckModel(const EngineOptions& options, const ModelConfig& config,
                const Checkpoint& checkpoint, bool bf16) {
  std::vector<std::string> problems;
  if (options.max_seq > config.max_positions) {
    problems.emplace_back("max_seq=" + std::to_string(options.max_seq) +
                          " is more than the model's max_position_embeddings " +
                          std::to_string(config.max_positions));
  }
  if (options.weight_cache == WeightCache::k16Bit && bf16) {
    problems.emplace_back("weight_cache=16bit: the weights are bf16 already");
  }
  if (options.numerics == NumericsMode::kHfExact && config.mxfp4) {
    problems.emplace_back("numerics=hf_exact: transformers has no MXFP4 model of this kind");
  }
  if (options.numerics == NumericsMode::kHfExact && IsMixed(checkpoint)) {
    problems.emplace_back(
        "numerics=hf_exact: the model has tensors of F32 and of BF16, and what is rounded depends "
        "on the one type that transformers loads it as");
  }
  ThrowIfAny(problems);
}

}  // namespace

Engine::Engine(const EngineOptions& options, const std::string& folder, StageTimer* timer,
               bool all_logits, const WrapOps& wrap)
    : options_(options) {
  StageTimer unused;
  StageTimer& stages = timer == nullptr ? unused : *timer;
  ThrowIfAny(Validate(options));
  config_ = ReadModelConfig(folder);
  checkpoint_ = std::make_unique<Checkpoint>(folder);
  const bool bf16 = IsBf16(*checkpoint_);
  CheckModel(options, config_, *checkpoint_, bf16);
  stages.End("config+header");

  ops_ = MakeOps(options, bf16);
  if (wrap) {
    ops_ = wrap(std::move(ops_));
  }
  stages.End("device");

  cache_type_ = bf16 || options.weight_cache == WeightCache::k16Bit ? DType::kBf16 : DType::kF32;
  sizes_.batch = options.batch;
  sizes_.capacity =
      options.max_seq == 0 ? std::min(kDefaultPositions, config_.max_positions) : options.max_seq;
  sizes_.rows = std::max(options.batch, std::min(options.chunk, sizes_.capacity));
  sizes_.logit_rows = all_logits ? sizes_.rows : options.batch;
  const bool mapped = ops_->reads_mapped_files();
  Measure measure;
  PlaceWeights(*checkpoint_, config_, options, mapped, measure, nullptr);
  PlaceBuffers(config_, sizes_, cache_type_, measure);
  ops_->Reserve(measure.bytes());
  weights_ = PlaceWeights(*checkpoint_, config_, options, mapped, *ops_, ops_.get());
  stages.End("weights");

  const DecoderBuffers buffers = PlaceBuffers(config_, sizes_, cache_type_, *ops_);
  decoder_ = std::make_unique<Decoder>(config_, weights_, *ops_, sizes_, buffers, options.numerics);
  const bool ahead = ops_->queues() && options.queue_ahead != Toggle::kOff;
  steps_ = std::make_unique<StepPipeline>(
      *decoder_, *ops_, ahead ? StepPipeline::Queueing::kAhead : StepPipeline::Queueing::kOneByOne);
  host_logits_.resize(Index(config_.vocab));
  rows_.reserve(Index(sizes_.rows));
  stages.End("cache+tables");
  if (options.prebuild > 0) {
    Prebuild();
    stages.End("prebuild");
  }
}

// Steps of a whole batch in the shortest bucket, in the next ones, then of a row less, until as
// many as asked for are captured: the first run of a step plans it, the second captures it. What
// they write to the cache is written again before anything reads it.
void Engine::Prebuild() {
  // A prompt first: memory that grows with it moves, and captured steps do not outlive that.
  const std::int64_t most = std::min(sizes_.rows, sizes_.capacity);
  SetRows(std::vector<std::int32_t>(Index(most)), static_cast<std::int32_t>(sizes_.capacity - most),
          0);
  steps_->Feed(rows_, 1);
  const std::vector<Sampling> greedy(Index(sizes_.batch));
  std::int64_t left = options_.prebuild;
  for (std::int64_t rows = sizes_.batch; rows > 0; --rows) {
    for (std::int64_t bucket = kLeastBucket; left > 0; bucket *= 2, --left) {
      const auto last = static_cast<std::int32_t>(std::min(bucket, sizes_.capacity) - 1);
      for (int run = 0; run < 2; ++run) {
        rows_.clear();
        for (std::int64_t i = 0; i < rows; ++i) {
          rows_.push_back({0, last, static_cast<std::int32_t>(i)});
        }
        steps_->Start(rows_, std::span(greedy).first(Index(rows)), options_.uncertainty);
      }
      if (bucket >= sizes_.capacity) {
        --left;
        break;
      }
    }
  }
  ops_->Sync();
}

nlohmann::ordered_json Engine::device() const {
  nlohmann::ordered_json text = ops_->Describe();
  if (config_.mxfp4) {
    // lm_head is none of the projections.
    text["lm_head"] = text["linear"];
    text["linear"] = text.value("mxfp4", "mxfp4 " + text.value("linear", ""));
  }
  return text;
}

std::size_t Engine::cache_bytes() const {
  return 2 * Index(config_.layers * sizes_.batch * sizes_.capacity * config_.kv_size()) *
         kernels::ByteSize(cache_type_);
}

}  // namespace engine
