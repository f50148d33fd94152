// SPDX-License-Identifier: Apache-2.0
// metrics.h: how long what took: stages of a start, and the latencies of a request.
//
// Times are of the steady clock, in seconds. t_i is when token i, from 1, is readable by the host;
// n tokens were generated from a prompt of P.
//
//   ttft            t_1 - t_submit, from token ids: prompt, first sample, copy
//   tpot            (t_n - t_1) / (n - 1); absent for n < 2
//   itl             t_i - t_(i-1) for i >= 2: a distribution, never with ttft in it
//   full            t_n - t_submit = ttft + (n - 1) tpot
//   prefill_tok_s   P / ttft
//   decode_tok_s    1 / tpot
//   e2e_tok_s       n / full
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

using Clock = std::chrono::steady_clock;

// Consecutive named stages that leave no time between them unnamed.
class StageTimer {
 public:
  StageTimer() : last_(Clock::now()) {}
  // Ends the stage that began with the last call, or with the timer.
  void End(std::string_view name);

  struct Stage {
    std::string name;
    double seconds;
  };
  const std::vector<Stage>& stages() const { return stages_; }
  double total() const;

 private:
  Clock::time_point last_;
  std::vector<Stage> stages_;
};

struct RequestTimes {
  Clock::time_point submit;
  std::vector<Clock::time_point> tokens;  // t_1 ...; an end token is none
  std::int64_t prompt_tokens = 0;
  Clock::time_point end;  // when the request had ended
};

// Nearest-rank percentile: the smallest value that at least `percent` of all do not exceed.
// 0 < percent <= 100; values need not be sorted, and are not empty.
double Percentile(std::span<const double> values, double percent);

struct RequestMetrics {
  std::int64_t prompt_tokens = 0, tokens = 0;
  double ttft = 0, full = 0;
  std::optional<double> tpot;
  std::vector<double> itl;
};

// Where an end token came first, there is no token, and ttft and full are the time to that.
RequestMetrics MetricsOf(const RequestTimes& times);

// {"n": .., "mean": .., "p50": ..} with p95 from 20 and p99 from 100 values on: fewer do not reach
// that far. Empty for no value.
nlohmann::ordered_json Summary(std::span<const double> values);

nlohmann::ordered_json ToJson(const RequestMetrics& metrics);
nlohmann::ordered_json ToJson(const StageTimer& timer);

}  // namespace engine
