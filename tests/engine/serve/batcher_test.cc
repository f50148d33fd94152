// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

namespace engine {
namespace {

using ::testing::ElementsAre;

// An engine whose batches wait until the test lets them go; each request gets tokens 0, 1, ...
class Scripted {
 public:
  Batcher::Generate Generate() {
    return [this](std::span<const Request> requests, const OnToken& on_token, const OnEnd& on_end) {
      {
        std::unique_lock lock(mutex_);
        batches_.push_back(requests.size());
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
      }
      if (fail_) {
        throw std::runtime_error("no memory");
      }
      for (std::size_t i = 0; i < requests.size(); ++i) {
        Result result;
        result.finish = finish_;
        for (std::int32_t token = 0; token < requests[i].max_tokens; ++token) {
          result.tokens.push_back(token);
          if (!on_token({i, token, nullptr})) {
            result.finish = Finish::kCancelled;
            break;
          }
        }
        on_end(i, result);
      }
    };
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void WaitForBatches(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return batches_.size() >= count; });
  }
  std::vector<std::size_t> batches() {
    const std::lock_guard lock(mutex_);
    return batches_;
  }
  bool fail_ = false;
  Finish finish_ = Finish::kLength;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  std::vector<std::size_t> batches_;
};

// A job and what becomes of it.
struct Listener {
  std::shared_ptr<std::atomic<bool>> wanted = std::make_shared<std::atomic<bool>>(true);
  std::promise<JobOutcome> promise;
  std::future<JobOutcome> outcome = promise.get_future();
  std::function<bool()> on_token = [] { return true; };

  Job Make(std::int64_t max_tokens = 3) {
    Job job;
    job.request.max_tokens = max_tokens;
    job.on_token = [this](const TokenEvent&) { return on_token(); };
    job.on_end = [this](JobOutcome end) { promise.set_value(std::move(end)); };
    job.wanted = wanted;
    return job;
  }
  std::vector<Job> One() {
    std::vector<Job> jobs;
    jobs.push_back(Make());
    return jobs;
  }
};

TEST(Batcher, TakesWhatWaitsTogether) {
  Scripted engine;
  Listener a, b, c, d;
  Batcher batcher(engine.Generate(), 2, 8);
  ASSERT_TRUE(batcher.Submit(a.One()));
  engine.WaitForBatches(1);
  ASSERT_TRUE(batcher.Submit(b.One()));
  ASSERT_TRUE(batcher.Submit(c.One()));
  ASSERT_TRUE(batcher.Submit(d.One()));
  EXPECT_EQ(batcher.load().waiting, 3U);
  EXPECT_EQ(batcher.load().running, 1U);
  engine.Open();
  for (Listener* client : {&a, &b, &c, &d}) {
    const JobOutcome outcome = client->outcome.get();
    EXPECT_EQ(outcome.end, JobEnd::kDone);
    EXPECT_THAT(outcome.result.tokens, ElementsAre(0, 1, 2));
    EXPECT_GE(outcome.queue_s, 0);
  }
  EXPECT_THAT(engine.batches(), ElementsAre(1, 2, 1));
  EXPECT_EQ(batcher.load().running, 0U);
}

TEST(Batcher, RefusesWhatFindsNoRoom) {
  Scripted engine;
  Listener a, b, c, d;
  Batcher batcher(engine.Generate(), 1, 2);
  ASSERT_TRUE(batcher.Submit(a.One()));
  engine.WaitForBatches(1);
  ASSERT_TRUE(batcher.Submit(b.One()));
  std::vector<Job> two;
  two.push_back(c.Make());
  two.push_back(d.Make());
  EXPECT_FALSE(batcher.Submit(std::move(two))) << "all or none";
  EXPECT_EQ(batcher.load().waiting, 1U);
  EXPECT_TRUE(batcher.Submit(c.One()));
  EXPECT_FALSE(batcher.Submit(d.One()));
  engine.Open();
  EXPECT_EQ(c.outcome.get().end, JobEnd::kDone);
  EXPECT_TRUE(batcher.Submit(d.One())) << "the places are free again";
  EXPECT_EQ(d.outcome.get().end, JobEnd::kDone);
}

TEST(Batcher, WithoutAQueueItStillServesOne) {
  Scripted engine;
  Listener a, b;
  Batcher batcher(engine.Generate(), 1, 0);
  EXPECT_TRUE(batcher.Submit(a.One()));
  EXPECT_FALSE(batcher.Submit(b.One()));
  engine.Open();
  a.outcome.get();
}

TEST(Batcher, WhoIsGoneLosesThePlaceAtOnce) {
  Scripted engine;
  Listener running, waiting, next;
  Batcher batcher(engine.Generate(), 1, 1);
  ASSERT_TRUE(batcher.Submit(running.One()));
  engine.WaitForBatches(1);
  ASSERT_TRUE(batcher.Submit(waiting.One()));
  *waiting.wanted = false;
  EXPECT_TRUE(batcher.Submit(next.One()));
  EXPECT_EQ(waiting.outcome.get().end, JobEnd::kUnwanted);
  *running.wanted = false;
  engine.Open();
  const JobOutcome outcome = running.outcome.get();
  EXPECT_EQ(outcome.end, JobEnd::kUnwanted);
  EXPECT_EQ(outcome.result.tokens.size(), 1U) << "ended at its next token";
  EXPECT_EQ(next.outcome.get().end, JobEnd::kDone);
}

TEST(Batcher, AJobEndsItselfAndIsDone) {
  Scripted engine;
  engine.Open();
  Listener client;
  client.on_token = [] { return false; };
  Batcher batcher(engine.Generate(), 1, 1);
  ASSERT_TRUE(batcher.Submit(client.One()));
  const JobOutcome outcome = client.outcome.get();
  EXPECT_EQ(outcome.end, JobEnd::kDone);
  EXPECT_EQ(outcome.result.tokens.size(), 1U);
}

TEST(Batcher, AnEngineThatThrowsEndsItsBatchOnly) {
  Scripted engine;
  engine.fail_ = true;
  engine.Open();
  Listener a, b;
  Batcher batcher(engine.Generate(), 1, 1);
  ASSERT_TRUE(batcher.Submit(a.One()));
  const JobOutcome outcome = a.outcome.get();
  EXPECT_EQ(outcome.end, JobEnd::kFailed);
  EXPECT_EQ(outcome.error, "no memory");
  EXPECT_EQ(batcher.load().running, 0U);
  engine.fail_ = false;
  ASSERT_TRUE(batcher.Submit(b.One()));
  EXPECT_EQ(b.outcome.get().end, JobEnd::kDone);
}

TEST(Batcher, LogitsThatAreNoNumbersAreAFailure) {
  Scripted engine;
  engine.finish_ = Finish::kNotFinite;
  engine.Open();
  Listener client;
  Batcher batcher(engine.Generate(), 1, 1);
  ASSERT_TRUE(batcher.Submit(client.One()));
  const JobOutcome outcome = client.outcome.get();
  EXPECT_EQ(outcome.end, JobEnd::kFailed);
  EXPECT_EQ(outcome.error, "the logits for token 3 of the answer are not numbers");
}

TEST(Batcher, StopEndsAll) {
  Scripted engine;
  Listener running, waiting, late;
  std::future<void> stopping;
  Batcher batcher(engine.Generate(), 1, 1);
  ASSERT_TRUE(batcher.Submit(running.One()));
  engine.WaitForBatches(1);
  ASSERT_TRUE(batcher.Submit(waiting.One()));
  stopping = std::async(std::launch::async, [&] { batcher.Stop(); });
  EXPECT_EQ(waiting.outcome.get().end, JobEnd::kStopping);
  EXPECT_FALSE(batcher.Submit(late.One()));
  engine.Open();
  EXPECT_EQ(running.outcome.get().end, JobEnd::kStopping);
  stopping.get();
  batcher.Stop();
}

}  // namespace
}  // namespace engine
