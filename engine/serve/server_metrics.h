// SPDX-License-Identifier: Apache-2.0
// server_metrics.h: what GET /metrics tells: how many requests ended how, and how long they took.
//
// A request here is a prompt: a completion of three prompts counts three. Latencies are those of
// metrics.h; `queue_s` goes from arrival to the start of the batch, where `ttft_s` begins.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>

#include "engine/serve/batcher.h"

namespace engine {

class ServerMetrics {
 public:
  // Latencies are of the last answered requests, so many, and of the last gaps between tokens.
  static constexpr std::size_t kRecent = 1024, kRecentGaps = 65536;

  void Add(const JobOutcome& outcome);
  void AddRefused(std::size_t requests);  // for a full queue

  nlohmann::ordered_json Json(const Batcher::Load& load) const;

 private:
  struct Recent {
    double queue;
    RequestMetrics metrics;
  };

  mutable std::mutex mutex_;
  std::uint64_t length_ = 0, stop_ = 0, unwanted_ = 0, stopping_ = 0, failed_ = 0, refused_ = 0;
  std::uint64_t prompt_tokens_ = 0, tokens_ = 0;
  std::deque<Recent> recent_;  // their `itl` is in gaps_
  std::deque<double> gaps_;
};

}  // namespace engine
