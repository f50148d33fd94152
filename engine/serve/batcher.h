// SPDX-License-Identifier: Apache-2.0
// batcher.h: many callers, one engine: a bounded queue whose head becomes the next batch.
//
// A thread takes up to `batch` waiting jobs, in order, answers them together, and takes the next
// ones when all of these have ended; each is told its end at once. A waiting job that is not wanted
// any more loses its place.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/decode/engine.h"

namespace engine {

enum class JobEnd : std::uint8_t {
  kDone,      // answered; Result::finish says why it ended
  kUnwanted,  // it was waiting or generating when nobody wanted it any more
  kStopping,  // Stop() ended it
  kFailed,    // the engine threw, or its logits were no numbers
};

struct JobOutcome {
  JobEnd end = JobEnd::kDone;
  Result result;       // of kDone; of the others what there was, maybe nothing
  double queue_s = 0;  // from Submit() to its batch
  std::string error;   // of kFailed
};

struct Job {
  Request request;  // one that the engine serves
  // Called in the batcher's thread for each token; false ends the answer, which is then kDone.
  std::function<bool(const TokenEvent&)> on_token;
  // Called once, in the batcher's thread or in one that calls Sweep() or Stop(). Must not throw.
  std::function<void(JobOutcome)> on_end;
  // False: nobody waits for it.
  std::shared_ptr<const std::atomic<bool>> wanted;
};

class Batcher {
 public:
  // Engine::Generate.
  using Generate = std::function<void(std::span<const Request>, const OnToken&, const OnEnd&)>;

  // batch >= 1; queue: jobs that may wait, beside those in the batch.
  Batcher(Generate generate, std::size_t batch, std::size_t queue);
  ~Batcher();
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // Takes all or none of them; false when they find no room or Stop() was called.
  bool Submit(std::vector<Job> jobs);

  // Ends waiting jobs that are not wanted any more. Running ones end at their next token.
  void Sweep();

  // Ends every job and the thread. What runs ends at its next token. May be called again.
  void Stop();

  struct Load {
    std::size_t waiting = 0, running = 0;
    std::uint64_t batches = 0;  // so far
  };
  Load load() const;

 private:
  struct Waiting {
    Job job;
    Clock::time_point since;
  };
  void Loop();
  void Answer(std::vector<Waiting> batch);

  const Generate generate_;
  const std::size_t batch_, queue_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::deque<Waiting> waiting_;
  std::size_t running_ = 0;  // of the batch, those that have not ended
  std::uint64_t batches_ = 0;
  std::mutex join_;
  std::thread thread_;
};

}  // namespace engine
