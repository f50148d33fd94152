// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/batcher.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace engine {
namespace {

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Batcher::Batcher(Generate generate, std::size_t batch, std::size_t queue)
    : generate_(std::move(generate)),
      batch_(std::max<std::size_t>(batch, 1)),
      queue_(queue),
      thread_([this] { Loop(); }) {}

Batcher::~Batcher() { Stop(); }

bool Batcher::Submit(std::vector<Job> jobs) {
  Sweep();
  const std::lock_guard lock(mutex_);
  // An idle engine has `batch` places beside the queue, so that queue=0 still serves.
  const std::size_t room = queue_ + (running_ == 0 ? batch_ : 0);
  if (stopping_ || waiting_.size() + jobs.size() > room) {
    return false;
  }
  const Clock::time_point now = Clock::now();
  for (Job& job : jobs) {
    waiting_.push_back({std::move(job), now});
  }
  work_.notify_one();
  return true;
}

void Batcher::Sweep() {
  std::vector<Waiting> unwanted;
  {
    const std::lock_guard lock(mutex_);
    const auto first =
        std::stable_partition(waiting_.begin(), waiting_.end(),
                              [](const Waiting& one) { return one.job.wanted->load(); });
    std::move(first, waiting_.end(), std::back_inserter(unwanted));
    waiting_.erase(first, waiting_.end());
  }
  for (Waiting& one : unwanted) {
    one.job.on_end({JobEnd::kUnwanted, {}, SecondsSince(one.since), ""});
  }
}

void Batcher::Stop() {
  std::deque<Waiting> waiting;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting.swap(waiting_);
    work_.notify_all();
  }
  for (Waiting& one : waiting) {
    one.job.on_end({JobEnd::kStopping, {}, SecondsSince(one.since), ""});
  }
  const std::lock_guard lock(join_);
  if (thread_.joinable()) {
    thread_.join();
  }
}

Batcher::Load Batcher::load() const {
  const std::lock_guard lock(mutex_);
  return {waiting_.size(), running_, batches_};
}

void Batcher::Loop() {
  for (;;) {
    std::vector<Waiting> batch;
    Sweep();
    {
      std::unique_lock lock(mutex_);
      work_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (stopping_) {
        return;
      }
      while (!waiting_.empty() && batch.size() < batch_) {
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
      running_ = batch.size();
      ++batches_;
    }
    Answer(std::move(batch));
  }
}

void Batcher::Answer(std::vector<Waiting> batch) {
  std::vector<Request> requests;
  std::vector<JobOutcome> outcomes(batch.size());
  std::vector<bool> ended(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    requests.push_back(std::move(batch[i].job.request));
    outcomes[i].queue_s = SecondsSince(batch[i].since);
  }
  const auto end = [&](std::size_t i) {
    // The place is free before on_end: who learns that the answer is complete can rely on it.
    {
      const std::lock_guard lock(mutex_);
      --running_;
    }
    ended[i] = true;
    batch[i].job.on_end(std::move(outcomes[i]));
  };
  std::string error = "the engine did not answer";
  try {
    generate_(
        requests,
        [&](const TokenEvent& event) {
          const Job& job = batch[event.request].job;
          if (stopping_ || !job.wanted->load()) {
            outcomes[event.request].end = stopping_ ? JobEnd::kStopping : JobEnd::kUnwanted;
            return false;
          }
          return job.on_token(event);
        },
        [&](std::size_t i, const Result& result) {
          outcomes[i].result = result;
          if (result.finish == Finish::kNotFinite) {
            outcomes[i].end = JobEnd::kFailed;
            outcomes[i].error = "the logits for token " + std::to_string(result.tokens.size()) +
                                " of the answer are not numbers";
          }
          end(i);
        });
  } catch (const std::exception& thrown) {
    error = thrown.what();
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!ended[i]) {
      outcomes[i].end = JobEnd::kFailed;
      outcomes[i].error = error;
      end(i);
    }
  }
}

}  // namespace engine
