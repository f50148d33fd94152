// SPDX-License-Identifier: Apache-2.0
// answer.h: between the engine's thread, which makes tokens, and a connection's, which sends text.
//
// One answer belongs to one completion request and has a choice per prompt. The jobs write pieces
// into it; the connection takes them out, or gives up, which ends the jobs.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/tokenizer.h"
#include "engine/serve/batcher.h"
#include "engine/serve/completion.h"
#include "engine/serve/text_stream.h"

namespace engine {

class Answer : public std::enable_shared_from_this<Answer> {
 public:
  // Told when a choice ends, in the thread where it does.
  using OnOutcome = std::function<void(const JobOutcome&)>;

  // tokenizer may be null, for a model without text; else it outlives the jobs.
  static std::shared_ptr<Answer> Make(CompletionRequest request, const ByteTokenizer* tokenizer,
                                      OnOutcome on_outcome);

  const CompletionRequest& request() const { return request_; }

  // For a Batcher, once. They keep the answer alive.
  std::vector<Job> Jobs();

  // The next piece, waiting up to `patience` for it; nothing after a wait in vain, and after the
  // end. Throws ApiError(500) for an engine that failed, 503 for a server that is stopping.
  std::optional<ChoicePiece> Next(std::chrono::milliseconds patience);

  // Whether every choice has ended and every piece was taken.
  bool complete() const;

  // Nobody waits any more. Sweep() of the batcher frees what has not started.
  void GiveUp() { *wanted_ = false; }

  // Of the choices that ended.
  Usage usage() const;

 private:
  Answer(CompletionRequest request, const ByteTokenizer* tokenizer, OnOutcome on_outcome);
  bool Take(std::size_t index, const TokenEvent& event);
  void End(std::size_t index, JobOutcome outcome);

  const CompletionRequest request_;
  const ByteTokenizer* const tokenizer_;
  const OnOutcome on_outcome_;
  const std::shared_ptr<std::atomic<bool>> wanted_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<TextStream> choices_;
  std::deque<ChoicePiece> pieces_;
  std::size_t ended_ = 0;
  Usage usage_;
  std::optional<ApiError> error_;
};

}  // namespace engine
