// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/error.h"
#include "engine/hash.h"
#include "engine/ops/cpu/cpu_hf_exact.h"
#include "engine/ops/cpu/cpu_ops.h"
#include "engine/ops/cuda_device.h"
#include "engine/ops/step_bucket.h"
#include "kernels/top_k.h"

namespace engine {
namespace {

// With max_seq=0; models of today name so many positions that a cache of all would not fit.
constexpr std::int64_t kDefaultPositions = 2048;

std::size_t Z(std::int64_t value) { return static_cast<std::size_t>(value); }

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

std::string_view Name(Finish finish) {
  constexpr std::string_view kNames[] = {"length", "stop", "context", "cancelled", "not_finite"};
  return kNames[static_cast<std::size_t>(finish)];
}

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
  host_logits_.resize(Z(config_.vocab));
  rows_.reserve(Z(sizes_.rows));
  ahead_ = ops_->queues() && options.queue_ahead != Toggle::kOff;
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
  SetRows(std::vector<std::int32_t>(Z(most)), static_cast<std::int32_t>(sizes_.capacity - most), 0);
  decoder_->Step(rows_, 1);
  const std::vector<Sampling> greedy(Z(sizes_.batch));
  std::int64_t left = options_.prebuild;
  for (std::int64_t rows = sizes_.batch; rows > 0; --rows) {
    for (std::int64_t bucket = kLeastBucket; left > 0; bucket *= 2, --left) {
      const auto last = static_cast<std::int32_t>(std::min(bucket, sizes_.capacity) - 1);
      for (int run = 0; run < 2; ++run) {
        rows_.clear();
        for (std::int64_t i = 0; i < rows; ++i) {
          rows_.push_back({0, last, static_cast<std::int32_t>(i)});
        }
        decoder_->StepAndDraw(rows_, std::span(greedy).first(Z(rows)), options_.uncertainty);
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
  return 2 * Z(config_.layers * sizes_.batch * sizes_.capacity * config_.kv_size()) *
         kernels::ByteSize(cache_type_);
}

void Engine::CheckPrompt(std::span<const std::int32_t> prompt, const std::string& where,
                         std::vector<std::string>& problems) const {
  if (prompt.empty()) {
    problems.push_back(where + "the prompt is empty; a first token needs one to follow");
  }
  if (static_cast<std::int64_t>(prompt.size()) > sizes_.capacity) {
    problems.push_back(where + "the prompt has " + std::to_string(prompt.size()) +
                       " tokens, the context " + std::to_string(sizes_.capacity) +
                       "; raise max_seq");
  }
  for (const std::int32_t id : prompt) {
    if (id < 0 || id >= config_.vocab) {
      problems.push_back(where + "token id " + std::to_string(id) +
                         " is outside the vocabulary of " + std::to_string(config_.vocab));
      break;
    }
  }
}

void Engine::CheckRequest(const Request& request, const std::string& where,
                          std::vector<std::string>& problems) const {
  const auto refuse = [&](bool wrong, const std::string& what) {
    if (wrong) {
      problems.push_back(where + what);
    }
  };
  CheckPrompt(request.prompt, where, problems);
  refuse(request.max_tokens < 1,
         "max_tokens is " + std::to_string(request.max_tokens) + ", expected at least 1");
  refuse(!(request.temperature >= 0) || std::isinf(request.temperature),
         "temperature is " + std::to_string(request.temperature) +
             ", expected 0 (greedy) or a finite number above it");
  refuse(request.top_k < 0 || request.top_k > kernels::kMaxTopK,
         "top_k is " + std::to_string(request.top_k) + ", expected 0 to " +
             std::to_string(kernels::kMaxTopK));
  refuse(!(request.top_p > 0 && request.top_p <= 1),
         "top_p is " + std::to_string(request.top_p) + ", expected a number above 0 and at most 1");
}

void Engine::SetRows(std::span<const std::int32_t> tokens, std::int32_t first,
                     std::int32_t sequence) {
  rows_.clear();
  for (const std::int32_t token : tokens) {
    rows_.push_back({token, first++, sequence});
  }
}

// A request that still generates.
struct Engine::Active {
  std::size_t index = 0;
  const Request* request = nullptr;
  Result* result = nullptr;
  std::int32_t position = 0;  // of the token that comes next
  bool done = false;
};

// Enters the token; why the request ends with it, if it does.
std::optional<Finish> Engine::Accept(Active& one, std::int32_t id, const Uncertainty* uncertainty,
                                     const OnToken& on_token) const {
  const Request& request = *one.request;
  const auto in = [id](const std::vector<std::int32_t>& list) {
    return std::find(list.begin(), list.end(), id) != list.end();
  };
  if (in(request.stop_ids) || (!request.ignore_eos && in(config_.eos))) {
    return Finish::kStop;
  }
  one.result->tokens.push_back(id);
  if (uncertainty != nullptr) {
    one.result->uncertainty.push_back(*uncertainty);
  }
  if (on_token && !on_token({one.index, id, uncertainty})) {
    return Finish::kCancelled;
  }
  if (static_cast<std::int64_t>(one.result->tokens.size()) == request.max_tokens) {
    return Finish::kLength;
  }
  return one.position == sizes_.capacity ? std::optional(Finish::kContext) : std::nullopt;
}

// Feeds rows_, the last of which are those of `active`, and draws a token for each.
void Engine::StartStep(std::span<Active* const> active) {
  how_.clear();
  for (const Active* one : active) {
    const Request& request = *one->request;
    how_.push_back({request.temperature, request.top_p, request.top_k, request.seed,
                    one->result->tokens.size()});
  }
  decoder_->StepAndDraw(rows_, how_, options_.uncertainty);
}

// Whether no step follows the next token, whatever it is.
bool Engine::EndsWithNext(const Active& one) const {
  return static_cast<std::int64_t>(one.result->tokens.size()) + 1 == one.request->max_tokens ||
         one.position == sizes_.capacity;
}

// Enters the token that was drawn for each of `active`; true: none of them has ended. `went_on`: a
// step after this one is queued, so that logits are no more those of this one.
bool Engine::TakeTokens(std::span<Active* const> active, bool went_on, const OnToken& on_token,
                        const OnEnd& on_end) {
  const std::span<const Drawn> drawn = decoder_->Take();
  const Clock::time_point now = Clock::now();
  bool all_go_on = true;
  for (std::size_t i = 0; i < active.size(); ++i) {
    Active& one = *active[i];
    RequestTimes& times = one.result->times;
    times.tokens.push_back(now);
    const auto finish =
        drawn[i].ok == 0 ? Finish::kNotFinite
                         : Accept(one, drawn[i].id,
                                  options_.uncertainty ? &drawn[i].uncertainty : nullptr, on_token);
    if (!finish) {
      continue;
    }
    all_go_on = false;
    times.end = now;
    times.tokens.resize(one.result->tokens.size());
    if (std::exchange(went_on, false)) {
      // The same bits again; the cache of the step that nobody wants is written anew, too, before
      // it is read.
      decoder_->Step(rows_, static_cast<std::int64_t>(active.size()));
    }
    const Rows logits = decoder_->logits();
    ops_->Download(host_logits_.data(), logits.data + static_cast<std::int64_t>(i) * logits.cols,
                   host_logits_.size() * sizeof(float));
    one.result->logits_hash = Fnv1a(std::as_bytes(std::span(host_logits_)));
    one.result->finish = *finish;
    one.done = true;
    if (on_end) {
      on_end(one.index, *one.result);
    }
  }
  return all_go_on;
}

std::vector<Result> Engine::Generate(std::span<const Request> requests, const OnToken& on_token,
                                     const OnEnd& on_end) {
  std::vector<std::string> problems;
  if (requests.size() > Z(sizes_.batch)) {
    problems.push_back(std::to_string(requests.size()) +
                       " requests at once, but batch=" + std::to_string(sizes_.batch));
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string where = requests.size() == 1 ? "" : "request " + std::to_string(i + 1) + ": ";
    CheckRequest(requests[i], where, problems);
  }
  ThrowIfAny(problems);

  std::vector<Result> results(requests.size());
  std::vector<Active> all(requests.size());
  const Clock::time_point submit = Clock::now();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::span<const std::int32_t> prompt = requests[i].prompt;
    all[i] = {i, &requests[i], &results[i], static_cast<std::int32_t>(prompt.size())};
    results[i].times.submit = submit;
    results[i].times.prompt_tokens = static_cast<std::int64_t>(prompt.size());
    Active* const one = &all[i];
    for (std::size_t at = 0; at < prompt.size(); at += Z(sizes_.rows)) {
      const std::size_t count = std::min(Z(sizes_.rows), prompt.size() - at);
      SetRows(prompt.subspan(at, count), static_cast<std::int32_t>(at),
              static_cast<std::int32_t>(i));
      if (at + count < prompt.size()) {
        decoder_->Step(rows_, 0);
      } else {
        StartStep({&one, 1});
      }
    }
    TakeTokens({&one, 1}, false, on_token, on_end);
  }
  std::vector<Active*> active;
  for (bool queued = false;;) {
    if (!queued) {
      active.clear();
      rows_.clear();
      for (Active& one : all) {
        if (!one.done) {
          active.push_back(&one);
          rows_.push_back(
              {one.result->tokens.back(), one.position++, static_cast<std::int32_t>(one.index)});
        }
      }
      if (active.empty()) {
        return results;
      }
      StartStep(active);
    }
    const bool goes_on =
        ahead_ && std::none_of(active.begin(), active.end(),
                               [&](const Active* one) { return EndsWithNext(*one); });
    if (goes_on) {
      decoder_->StepOn();
    }
    queued = TakeTokens(active, goes_on, on_token, on_end) && goes_on;
    for (std::size_t i = 0; queued && i < active.size(); ++i) {
      rows_[i].token = active[i]->result->tokens.back();
      rows_[i].position = active[i]->position++;
    }
  }
}

std::vector<float> Engine::Logits(std::span<const std::int32_t> tokens, bool incremental) {
  std::vector<std::string> problems;
  CheckPrompt(tokens, "", problems);
  ThrowIfAny(problems);
  std::vector<float> all(tokens.size() * Z(config_.vocab));
  const std::size_t step = incremental ? 1 : Z(sizes_.logit_rows);
  for (std::size_t at = 0; at < tokens.size(); at += step) {
    const std::size_t count = std::min(step, tokens.size() - at);
    SetRows(tokens.subspan(at, count), static_cast<std::int32_t>(at), 0);
    decoder_->Step(rows_, static_cast<std::int64_t>(count));
    ops_->Download(all.data() + at * Z(config_.vocab), decoder_->logits().data,
                   count * Z(config_.vocab) * sizeof(float));
  }
  return all;
}

}  // namespace engine
