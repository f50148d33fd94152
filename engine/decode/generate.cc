// SPDX-License-Identifier: Apache-2.0
// The half of engine.h that answers: requests as rows of steps, and tokens as results.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/decode/engine.h"
#include "engine/hash.h"
#include "engine/index.h"

namespace engine {

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
  bool done = false;

  // Positions that prompt and tokens take. The last token is fed, at the last of them, when the
  // next one is wanted.
  std::int64_t length() const {
    return static_cast<std::int64_t>(request->prompt.size() + result->tokens.size());
  }
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
  return one.length() > sizes_.capacity ? std::optional(Finish::kContext) : std::nullopt;
}

// Feeds rows_, the last of which are those of `active`, and draws a token for each.
void Engine::StartStep(std::span<Active* const> active) {
  how_.clear();
  for (const Active* one : active) {
    const Request& request = *one->request;
    how_.push_back({request.temperature, request.top_p, request.top_k, request.seed,
                    one->result->tokens.size()});
  }
  steps_->Start(rows_, how_, options_.uncertainty);
}

// Whether no step follows the next token, whatever it is.
bool Engine::EndsWithNext(const Active& one) const {
  return static_cast<std::int64_t>(one.result->tokens.size()) + 1 == one.request->max_tokens ||
         one.length() == sizes_.capacity;
}

void Engine::End(Active& one, std::size_t row, Finish finish, const OnEnd& on_end) {
  const Rows logits = steps_->TakenLogits();
  ops_->Download(host_logits_.data(), logits.data + static_cast<std::int64_t>(row) * logits.cols,
                 host_logits_.size() * sizeof(float));
  one.result->logits_hash = Fnv1a(std::as_bytes(std::span(host_logits_)));
  one.result->finish = finish;
  one.done = true;
  if (on_end) {
    on_end(one.index, *one.result);
  }
}

// Enters the token that was drawn for each of `active`. Where one ends, no step is in flight any
// more.
void Engine::TakeTokens(std::span<Active* const> active, const OnToken& on_token,
                        const OnEnd& on_end) {
  const std::span<const Drawn> drawn = steps_->Take();
  const Clock::time_point now = Clock::now();
  for (std::size_t i = 0; i < active.size(); ++i) {
    Active& one = *active[i];
    RequestTimes& times = one.result->times;
    times.tokens.push_back(now);
    const auto finish =
        drawn[i].ok == 0 ? Finish::kNotFinite
                         : Accept(one, drawn[i].id,
                                  options_.uncertainty ? &drawn[i].uncertainty : nullptr, on_token);
    if (finish) {
      times.end = now;
      times.tokens.resize(one.result->tokens.size());
      End(one, i, *finish, on_end);
    }
  }
}

// Feeds the prompt of a request and enters its first token.
void Engine::Begin(Active& one, const OnToken& on_token, const OnEnd& on_end) {
  const std::span<const std::int32_t> prompt = one.request->prompt;
  Active* const only = &one;
  for (std::size_t at = 0; at < prompt.size(); at += Index(sizes_.rows)) {
    const std::size_t count = std::min(Index(sizes_.rows), prompt.size() - at);
    SetRows(prompt.subspan(at, count), static_cast<std::int32_t>(at),
            static_cast<std::int32_t>(one.index));
    if (at + count < prompt.size()) {
      steps_->Feed(rows_, 0);
    } else {
      StartStep({&only, 1});
    }
  }
  TakeTokens({&only, 1}, on_token, on_end);
}

std::vector<Result> Engine::Generate(std::span<const Request> requests, const OnToken& on_token,
                                     const OnEnd& on_end) {
  std::vector<std::string> problems;
  if (requests.size() > Index(sizes_.batch)) {
    problems.push_back(std::to_string(requests.size()) +
                       " requests at once, but batch=" + std::to_string(sizes_.batch));
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string where = requests.size() == 1 ? "" : "request " + std::to_string(i + 1) + ": ";
    CheckRequest(requests[i], {config_.vocab, sizes_.capacity}, where, problems);
  }
  ThrowIfAny(problems);

  std::vector<Result> results(requests.size());
  std::vector<Active> all(requests.size());
  const Clock::time_point submit = Clock::now();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    all[i] = {i, &requests[i], &results[i]};
    results[i].times.submit = submit;
    results[i].times.prompt_tokens = static_cast<std::int64_t>(requests[i].prompt.size());
    Begin(all[i], on_token, on_end);
  }
  std::vector<Active*> active;
  for (;;) {
    if (!steps_->in_flight()) {
      active.clear();
      rows_.clear();
      for (Active& one : all) {
        if (!one.done) {
          active.push_back(&one);
          rows_.push_back({one.result->tokens.back(), static_cast<std::int32_t>(one.length() - 1),
                           static_cast<std::int32_t>(one.index)});
        }
      }
      if (active.empty()) {
        return results;
      }
      StartStep(active);
    }
    if (std::none_of(active.begin(), active.end(),
                     [&](const Active* one) { return EndsWithNext(*one); })) {
      steps_->QueueNext();
    }
    TakeTokens(active, on_token, on_end);
  }
}

std::vector<float> Engine::Logits(std::span<const std::int32_t> tokens, bool incremental) {
  std::vector<std::string> problems;
  CheckPrompt(tokens, {config_.vocab, sizes_.capacity}, "", problems);
  ThrowIfAny(problems);
  std::vector<float> all(tokens.size() * Index(config_.vocab));
  const std::size_t step = incremental ? 1 : Index(sizes_.logit_rows);
  for (std::size_t at = 0; at < tokens.size(); at += step) {
    const std::size_t count = std::min(step, tokens.size() - at);
    SetRows(tokens.subspan(at, count), static_cast<std::int32_t>(at), 0);
    steps_->Feed(rows_, static_cast<std::int64_t>(count));
    ops_->Download(all.data() + at * Index(config_.vocab), decoder_->logits().data,
                   count * Index(config_.vocab) * sizeof(float));
  }
  return all;
}

}  // namespace engine
