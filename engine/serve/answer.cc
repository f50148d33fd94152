// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/answer.h"

#include <utility>

namespace engine {

Answer::Answer(CompletionRequest request, const ByteTokenizer* tokenizer, OnOutcome on_outcome)
    : request_(std::move(request)),
      tokenizer_(tokenizer),
      on_outcome_(std::move(on_outcome)),
      wanted_(std::make_shared<std::atomic<bool>>(true)),
      choices_(request_.requests.size(), TextStream(request_.stops)) {
  for (const Request& one : request_.requests) {
    usage_.prompt_tokens += static_cast<std::int64_t>(one.prompt.size());
  }
}

std::shared_ptr<Answer> Answer::Make(CompletionRequest request, const ByteTokenizer* tokenizer,
                                     OnOutcome on_outcome) {
  return std::shared_ptr<Answer>(new Answer(std::move(request), tokenizer, std::move(on_outcome)));
}

std::vector<Job> Answer::Jobs() {
  std::vector<Job> jobs;
  const std::shared_ptr<Answer> self = shared_from_this();
  for (std::size_t i = 0; i < request_.requests.size(); ++i) {
    jobs.push_back({request_.requests[i],
                    [self, i](const TokenEvent& event) { return self->Take(i, event); },
                    [self, i](JobOutcome outcome) { self->End(i, std::move(outcome)); }, wanted_});
  }
  return jobs;
}

bool Answer::Take(std::size_t index, const TokenEvent& event) {
  const std::string bytes =
      tokenizer_ == nullptr ? std::string() : tokenizer_->Decode({&event.token, 1});
  const std::lock_guard lock(mutex_);
  TextStream& stream = choices_[index];
  ChoicePiece piece;
  piece.index = index;
  piece.text = stream.Push(bytes);
  if (request_.token_ids) {
    piece.ids.push_back(event.token);
  }
  if (request_.logprobs) {
    piece.token_texts.push_back(tokenizer_ == nullptr ? "token_id:" + std::to_string(event.token)
                                                      : TokenText(bytes));
    piece.uncertainty.push_back(event.uncertainty == nullptr ? Uncertainty() : *event.uncertainty);
  }
  if (!piece.text.empty() || !piece.ids.empty() || !piece.token_texts.empty()) {
    pieces_.push_back(std::move(piece));
    changed_.notify_one();
  }
  return !stream.stopped();
}

void Answer::End(std::size_t index, JobOutcome outcome) {
  ChoicePiece last;
  last.index = index;
  {
    const std::lock_guard lock(mutex_);
    TextStream& stream = choices_[index];
    last.text = stream.Finish();
    if (stream.stopped()) {
      outcome.result.finish = Finish::kStop;
    }
    last.finish = outcome.result.finish;
  }
  on_outcome_(outcome);  // first: who has the answer finds it counted
  const std::lock_guard lock(mutex_);
  usage_.completion_tokens += static_cast<std::int64_t>(outcome.result.times.tokens.size());
  pieces_.push_back(std::move(last));
  ++ended_;
  if (outcome.end == JobEnd::kFailed) {
    error_.emplace(500, "the engine failed: " + outcome.error, "", "engine_failed");
  } else if (outcome.end == JobEnd::kStopping) {
    error_.emplace(503, "the server is stopping", "", "server_stopping");
  }
  changed_.notify_one();
}

std::optional<ChoicePiece> Answer::Next(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience,
                    [this] { return error_ || !pieces_.empty() || ended_ == choices_.size(); });
  if (error_) {
    // Made anew: copies of a runtime_error share their text, which thread checkers take for a race.
    throw ApiError(error_->status(), error_->what(), error_->param(), error_->code());
  }
  if (pieces_.empty()) {
    return std::nullopt;
  }
  ChoicePiece piece = std::move(pieces_.front());
  pieces_.pop_front();
  return piece;
}

bool Answer::complete() const {
  const std::lock_guard lock(mutex_);
  return pieces_.empty() && ended_ == choices_.size();
}

Usage Answer::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

}  // namespace engine
