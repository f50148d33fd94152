// SPDX-License-Identifier: Apache-2.0
// Steps that are queued before the tokens of the last are read: the same results, on ops that show
// the host what a step drew no earlier than when it waits for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/decode/engine.h"
#include "engine/ops/forwarding_ops.h"
#include "tests/engine/model_folder.h"

namespace engine {
namespace {

struct Counts {
  int steps = 0, most_in_flight = 0;
};

class QueueingOps : public ForwardingOps {
 public:
  QueueingOps(std::unique_ptr<Ops> inner, Counts& counts)
      : ForwardingOps(std::move(inner)), counts_(counts) {}

  bool queues() const override { return true; }
  std::byte* TakeHost(std::size_t bytes) override {
    host_.assign(bytes / sizeof(Drawn), {-1, 1, {}});
    device_ = host_;
    return reinterpret_cast<std::byte*>(host_.data());
  }
  void Embed(const Weight& table, const RowInfo& info, Rows x) override {
    ++counts_.steps;
    inner().Embed(table, info, x);
  }
  void Deliver(const Delivery& delivery) override {
    Delivery hidden = delivery;
    hidden.to = device_.data();
    inner().Deliver(hidden);
  }
  void Mark(int mark) override {
    // What the host has not taken by now it does not want.
    std::fill_n(Slot(host_, mark), Capacity(), Drawn{-1, 1, {}});
    in_flight_[mark] = true;
    counts_.most_in_flight = std::max(counts_.most_in_flight, in_flight_[0] + in_flight_[1]);
  }
  void Await(int mark) override {
    in_flight_[mark] = false;
    std::copy_n(Slot(device_, mark), Capacity(), Slot(host_, mark));
  }

 private:
  std::size_t Capacity() const { return host_.size() / 2; }
  Drawn* Slot(std::vector<Drawn>& of, int mark) const {
    return of.data() + static_cast<std::size_t>(mark) * Capacity();
  }

  Counts& counts_;
  std::vector<Drawn> host_, device_;
  bool in_flight_[2] = {};
};

class QueueAhead : public ::testing::Test {
 protected:
  QueueAhead() : model_("odd") {
    EngineOptions options = OneThread();
    options.batch = 3;
    options.max_seq = 64;
    options.uncertainty = true;
    plain_ = std::make_unique<Engine>(options, model_.path());
    ahead_ =
        std::make_unique<Engine>(options, model_.path(), nullptr, false,
                                 [this](std::unique_ptr<Ops> inner) -> std::unique_ptr<Ops> {
                                   return std::make_unique<QueueingOps>(std::move(inner), counts_);
                                 });
  }

  // `cancel_at`: this token of request 0 is the last that its reader wants. The number of steps.
  int ExpectTheSame(const std::vector<Request>& requests, std::size_t cancel_at = 1000) {
    const auto answer = [&](Engine& engine) {
      std::size_t seen = 0;
      return engine.Generate(requests, [&](const TokenEvent& event) {
        return event.request != 0 || ++seen < cancel_at;
      });
    };
    const std::vector<Result> expected = answer(*plain_);
    counts_ = {};
    const std::vector<Result> results = answer(*ahead_);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(results[i].tokens, expected[i].tokens) << i;
      EXPECT_EQ(results[i].logits_hash, expected[i].logits_hash) << i;
      EXPECT_EQ(results[i].finish, expected[i].finish) << i;
      EXPECT_EQ(results[i].times.tokens.size(), expected[i].times.tokens.size()) << i;
      EXPECT_EQ(results[i].uncertainty.size(), expected[i].uncertainty.size()) << i;
      for (std::size_t j = 0; j < results[i].uncertainty.size(); ++j) {
        EXPECT_EQ(results[i].uncertainty[j].entropy, expected[i].uncertainty[j].entropy);
        EXPECT_EQ(results[i].uncertainty[j].log_probability,
                  expected[i].uncertainty[j].log_probability);
      }
    }
    return counts_.steps;
  }

  Counts counts_;
  const ModelFolder model_;
  std::unique_ptr<Engine> plain_, ahead_;
};

TEST_F(QueueAhead, GreedyAndDrawn) {
  Request request = Ask(SomeIds(9), 20);
  EXPECT_EQ(ExpectTheSame({request}), 20) << "no step that nobody wants";
  EXPECT_EQ(counts_.most_in_flight, 2);
  request.temperature = 1;
  request.seed = 7;
  EXPECT_EQ(ExpectTheSame({request}), 20);
  EXPECT_EQ(ExpectTheSame({Ask({5}, 1)}), 1);
  EXPECT_EQ(ExpectTheSame({Ask({5}, 2)}), 2);
}

TEST_F(QueueAhead, TheContextEnds) {
  EXPECT_EQ(ExpectTheSame({Ask(SomeIds(60), 100)}), 5);
  EXPECT_EQ(ExpectTheSame({Ask(SomeIds(64), 100)}), 1);
}

// One that was queued in vain, and the step whose logits it overwrote once more.
TEST_F(QueueAhead, StopsThatNobodyForesees) {
  const std::vector<std::int32_t> prompt = SomeIds(9);
  const Result whole = plain_->Generate(std::vector{Ask(prompt, 12)})[0];
  for (const std::size_t at : {1U, 2U, 5U, 11U}) {
    Request request = Ask(prompt, 12);
    request.stop_ids = {whole.tokens[at]};
    const auto first = static_cast<std::size_t>(
        std::find(whole.tokens.begin(), whole.tokens.end(), whole.tokens[at]) -
        whole.tokens.begin());
    const bool foreseen = first == 0 || first == 11;  // of the prompt, or the last there may be
    EXPECT_EQ(ExpectTheSame({request}), static_cast<int>(first) + 1 + (foreseen ? 0 : 2)) << at;
    EXPECT_EQ(ExpectTheSame({Ask(prompt, 12)}, at), at == 1 ? 1 : static_cast<int>(at) + 2) << at;
  }
}

TEST_F(QueueAhead, SequencesOfABatchEndOneByOne) {
  std::vector<Request> requests = {Ask(SomeIds(3), 20), Ask(SomeIds(17), 5), Ask({7}, 11)};
  requests[1].temperature = 1;
  requests[1].seed = 5;
  ExpectTheSame(requests);
  EXPECT_EQ(counts_.most_in_flight, 2);
  for (const std::size_t cancel_at : {1U, 2U, 4U, 5U, 6U, 19U, 20U}) {
    ExpectTheSame(requests, cancel_at);
  }
  const Result whole = plain_->Generate(std::vector{requests[2]})[0];
  requests[2].stop_ids = {whole.tokens[6]};
  ExpectTheSame(requests);
  ExpectTheSame({requests[2], requests[2], requests[0]}, 3);
}

TEST_F(QueueAhead, AReaderThatThrowsLeavesTheEngineSound) {
  const std::vector<Request> requests = {Ask(SomeIds(9), 12)};
  int seen = 0;
  EXPECT_THROW(ahead_->Generate(requests,
                                [&](const TokenEvent&) -> bool {
                                  if (++seen == 5) {
                                    throw std::runtime_error("gone");
                                  }
                                  return true;
                                }),
               std::runtime_error);
  ExpectTheSame(requests);
}

TEST_F(QueueAhead, OffWaitsForEveryToken) {
  EngineOptions options = OneThread();
  options.device = DeviceKind::kCpu;
  options.queue_ahead = Toggle::kOff;
  Engine engine(options, model_.path(), nullptr, false,
                [this](std::unique_ptr<Ops> inner) -> std::unique_ptr<Ops> {
                  return std::make_unique<QueueingOps>(std::move(inner), counts_);
                });
  counts_ = {};
  (void)engine.Generate(std::vector{Ask(SomeIds(9), 12)});
  EXPECT_EQ(counts_.most_in_flight, 1);
}

}  // namespace
}  // namespace engine
