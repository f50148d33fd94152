// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace engine {
namespace {

using nlohmann::ordered_json;

double Seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void StageTimer::End(std::string_view name) {
  const Clock::time_point now = Clock::now();
  stages_.push_back({std::string(name), Seconds(last_, now)});
  last_ = now;
}

double StageTimer::total() const {
  return std::accumulate(stages_.begin(), stages_.end(), 0.0,
                         [](double sum, const Stage& stage) { return sum + stage.seconds; });
}

double Percentile(std::span<const double> values, double percent) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto rank =
      static_cast<std::size_t>(std::ceil(percent / 100 * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

RequestMetrics MetricsOf(const RequestTimes& times) {
  RequestMetrics metrics;
  metrics.prompt_tokens = times.prompt_tokens;
  metrics.tokens = static_cast<std::int64_t>(times.tokens.size());
  if (times.tokens.empty()) {
    metrics.ttft = metrics.full = Seconds(times.submit, times.end);
    return metrics;
  }
  metrics.ttft = Seconds(times.submit, times.tokens.front());
  metrics.full = Seconds(times.submit, times.tokens.back());
  for (std::size_t i = 1; i < times.tokens.size(); ++i) {
    metrics.itl.push_back(Seconds(times.tokens[i - 1], times.tokens[i]));
  }
  if (metrics.tokens >= 2) {
    metrics.tpot = Seconds(times.tokens.front(), times.tokens.back()) /
                   static_cast<double>(metrics.tokens - 1);
  }
  return metrics;
}

ordered_json Summary(std::span<const double> values) {
  ordered_json root = ordered_json::object();
  if (values.empty()) {
    return root;
  }
  root["n"] = values.size();
  root["mean"] =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  root["p50"] = Percentile(values, 50);
  if (values.size() >= 20) {
    root["p95"] = Percentile(values, 95);
  }
  if (values.size() >= 100) {
    root["p99"] = Percentile(values, 99);
  }
  return root;
}

ordered_json ToJson(const RequestMetrics& metrics) {
  ordered_json root = {{"prompt_tokens", metrics.prompt_tokens},
                       {"tokens", metrics.tokens},
                       {"ttft_s", metrics.ttft},
                       {"full_s", metrics.full},
                       {"prefill_tok_s", static_cast<double>(metrics.prompt_tokens) / metrics.ttft},
                       {"e2e_tok_s", static_cast<double>(metrics.tokens) / metrics.full}};
  if (metrics.tpot) {
    root["tpot_s"] = *metrics.tpot;
    root["decode_tok_s"] = 1 / *metrics.tpot;
    root["itl_s"] = Summary(metrics.itl);
  }
  return root;
}

ordered_json ToJson(const StageTimer& timer) {
  ordered_json stages = ordered_json::array();
  for (const auto& [name, seconds] : timer.stages()) {
    stages.push_back({{"stage", name}, {"s", seconds}});
  }
  return stages;
}

}  // namespace engine
