// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/server_metrics.h"

#include <utility>
#include <vector>

namespace engine {

void ServerMetrics::Add(const JobOutcome& outcome) {
  const std::lock_guard lock(mutex_);
  if (!outcome.result.times.tokens.empty()) {
    prompt_tokens_ += static_cast<std::uint64_t>(outcome.result.times.prompt_tokens);
    tokens_ += outcome.result.times.tokens.size();
  }
  switch (outcome.end) {
    case JobEnd::kUnwanted:
      ++unwanted_;
      return;
    case JobEnd::kStopping:
      ++stopping_;
      return;
    case JobEnd::kFailed:
      ++failed_;
      return;
    case JobEnd::kDone:
      break;
  }
  ++(outcome.result.finish == Finish::kStop ? stop_ : length_);
  Recent recent{outcome.queue_s, MetricsOf(outcome.result.times)};
  for (const double gap : std::exchange(recent.metrics.itl, {})) {
    gaps_.push_back(gap);
    if (gaps_.size() > kRecentGaps) {
      gaps_.pop_front();
    }
  }
  recent_.push_back(std::move(recent));
  if (recent_.size() > kRecent) {
    recent_.pop_front();
  }
}

void ServerMetrics::AddRefused(std::size_t requests) {
  const std::lock_guard lock(mutex_);
  refused_ += requests;
}

nlohmann::ordered_json ServerMetrics::Json(const Batcher::Load& load) const {
  const std::lock_guard lock(mutex_);
  std::vector<double> queue, ttft, tpot, full;
  const std::vector<double> itl(gaps_.begin(), gaps_.end());
  for (const auto& [waited, metrics] : recent_) {
    queue.push_back(waited);
    ttft.push_back(metrics.ttft);
    full.push_back(metrics.full);
    if (metrics.tpot) {
      tpot.push_back(*metrics.tpot);
    }
  }
  return {{"waiting", load.waiting},
          {"running", load.running},
          {"batches", load.batches},
          {"requests",
           {{"length", length_},
            {"stop", stop_},
            {"client_gone", unwanted_},
            {"server_stopping", stopping_},
            {"failed", failed_},
            {"queue_full", refused_}}},
          {"prompt_tokens", prompt_tokens_},
          {"completion_tokens", tokens_},
          {"recent",
           {{"queue_s", Summary(queue)},
            {"ttft_s", Summary(ttft)},
            {"tpot_s", Summary(tpot)},
            {"itl_s", Summary(itl)},
            {"full_s", Summary(full)}}}};
}

}  // namespace engine
