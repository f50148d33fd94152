// SPDX-License-Identifier: Apache-2.0
// The metrics that perfgate knows by itself; docs/metrics.md shows this table.
#include "perfgate/evidence/metrics/metric_registry.h"

namespace perfgate::inline evidence {
namespace {

constexpr Direction kLower = Direction::kLower;
constexpr Direction kHigher = Direction::kHigher;

MetricEntry time(std::string name, std::string family, std::vector<std::string> aliases) {
  return {std::move(name), std::move(family), "s", kLower, Kind::kTime, std::move(aliases), false};
}

// Undefined for a request of one output token.
MetricEntry token_time(const std::string& name, std::vector<std::string> aliases) {
  MetricEntry entry = time(name, name, std::move(aliases));
  entry.needs_two_tokens = true;
  return entry;
}

MetricEntry throughput(std::string name, std::string unit, std::vector<std::string> aliases) {
  return {std::move(name),    "throughput", std::move(unit), kHigher, Kind::kRate,
          std::move(aliases), false};
}

}  // namespace

MetricRegistry MetricRegistry::built_in() {
  return MetricRegistry({
      // One request of a server.
      time("ttft", "ttft", {"time_to_first_token", "first_token_latency", "request_ttft"}),
      token_time("tpot", {"time_per_output_token", "per_output_token_latency"}),
      token_time("itl", {"inter_token_latency", "intertoken_latency", "inter_token_time"}),
      time("e2e_latency", "e2e",
           {"e2el", "e2e", "end_to_end_latency", "end_to_end_time", "request_latency"}),
      // May be 0, so it is compared by difference.
      {"client_queue_time", "queue", "s", kLower, Kind::kScore, {"queue_time"}, false},
      time("e2e_latency_with_queue", "e2e", {"e2el_including_client_queue"}),

      // A whole run. Prompt tokens count in some and not in others, so they are kept apart; plain
      // "throughput" does not say which tokens it counts and equals none of them.
      throughput("request_throughput", "req/s", {"requests_per_second", "requests_per_s", "qps"}),
      {"request_goodput", "throughput", "req/s", kHigher, Kind::kScore, {"goodput"}, false},
      {"failed_share", "failures", "1", kLower, Kind::kScore, {}, false},
      {"limit_misses", "failures", "1", kLower, Kind::kScore, {}, false},
      throughput("input_throughput", "tok/s",
                 {"input_token_throughput", "prompt_throughput", "prompt_token_throughput"}),
      throughput("output_throughput", "tok/s",
                 {"output_token_throughput", "generation_throughput", "generated_token_throughput",
                  "output_tokens_per_second", "output_tokens_per_s"}),
      throughput("total_token_throughput", "tok/s", {"total_throughput"}),
      throughput("throughput", "tok/s",
                 {"token_throughput", "tokens_per_second", "tokens_per_s", "tokens_per_sec"}),
      throughput("input_sequence_throughput", "1/s", {}),

      // One call or one batch.
      time("latency", "latency", {"batch_latency"}),
      time("real_time", "time", {}),
      time("cpu_time", "time", {}),
      time("wall_time", "time", {"wallclock_time", "elapsed_time"}),
      time("gpu_time", "time", {}),
      time("batch_gpu_time", "time", {}),
      time("time", "time", {}),

      // Speculative decoding.
      {"acceptance_rate",
       "speculation",
       "1",
       kHigher,
       Kind::kScore,
       {"spec_decode_acceptance_rate", "accept_rate"},
       false},
      {"acceptance_length",
       "speculation",
       "1",
       kHigher,
       Kind::kScore,
       {"spec_decode_acceptance_length", "accept_length"},
       false},
  });
}

}  // namespace perfgate::inline evidence
