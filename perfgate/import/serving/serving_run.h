// SPDX-License-Identifier: Apache-2.0
// serving_run.h: one client run against a server, as vLLM and SGLang write it: the fields that both
// tools share. serving_records.h says what becomes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"
#include "perfgate/import/serving/serving_json.h"

namespace perfgate::import {

// A number that the tool formed over the whole run, as printed.
struct ServingSummary {
  std::string key;  // "mean_ttft_ms"
  double value = 0;
};

struct ServingRun {
  std::string where;  // "f.jsonl:3"
  std::size_t row = 0;
  std::string case_name;
  Fields identity;  // equal in all runs of a case
  Fields observed;  // workload that came out: runs of a case may differ

  std::optional<std::int64_t> asked;  // requests that the run was to send
  std::optional<std::int64_t> completed;
  std::optional<std::int64_t> failed;
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<double> duration_s;

  // One element per request, in the order of sending; absent where details were not saved.
  std::optional<std::vector<std::int64_t>> input_lens;
  std::optional<std::vector<std::int64_t>> output_lens;
  std::optional<std::vector<double>> ttfts;              // s
  std::optional<std::vector<double>> latencies;          // s, end to end
  std::optional<std::vector<double>> queue_times;        // s
  std::optional<std::vector<std::vector<double>>> itls;  // s, gaps of each request
  std::optional<std::vector<std::string>> errors;        // empty: the request succeeded

  std::vector<ServingSummary> summaries;

  // The gaps in the file are not those that the summary averages: speculative decoding in SGLang.
  bool gaps_are_raw = false;
  // input_tokens and input_lens may count differently: images and chat templates in SGLang.
  bool input_counts_differ = false;
};

// The fields that both tools share. `settings` are keys that say how the run was set up and
// `ignored` ones that are neither set-up nor measurement; every other scalar becomes a summary
// where it is a known metric or a fraction, and a field "extra.<key>" of the identity where it is
// text, a switch or an integer.
ServingRun read_serving_run(const Located& document, std::span<const std::string_view> settings,
                            std::span<const std::string_view> ignored,
                            const MetricRegistry& registry);

// Appends "/<word>:<value>" to the name of a case, where the identity has the key.
void append_part(std::string& name, const char* word, const Fields& identity, const char* key);

// The text of a request rate: a number, or "inf" for all at once.
std::optional<std::string> request_rate_text(const Located& document);

}  // namespace perfgate::import
