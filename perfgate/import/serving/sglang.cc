// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/sglang.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/base/text/format_number.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_records.h"
#include "perfgate/import/serving/serving_run.h"

namespace perfgate::import {
namespace {

constexpr std::string_view kSglangSettings[] = {
    "backend",          "dataset_name",      "num_prompts",
    "request_rate",     "max_concurrency",   "sharegpt_output_len",
    "random_input_len", "random_output_len", "random_range_ratio"};

constexpr std::string_view kSglangIgnored[] = {"tag",
                                               "server_info",
                                               "generated_texts",
                                               "start_times",
                                               "total_output_tokens_retokenized",
                                               "total_input_text_tokens",
                                               "total_input_vision_tokens",
                                               "max_concurrent_requests",
                                               "max_output_tokens_per_s"};

// Of the server's arguments: drawn or counted anew at every launch, or secret.
constexpr std::string_view kNotServer[] = {"random_seed",
                                           "port",
                                           "nccl_port",
                                           "host",
                                           "pid",
                                           "dist_init_addr",
                                           "max_total_num_tokens",
                                           "max_req_input_len",
                                           "status",
                                           "last_gen_throughput"};

bool is_server_setting(const std::string& key) {
  const bool secret =
      key.find("api_key") != std::string::npos || key.find("password") != std::string::npos;
  return !secret &&
         std::find(std::begin(kNotServer), std::end(kNotServer), key) == std::end(kNotServer);
}

std::string sglang_case_name(const Fields& identity) {
  std::string name = "serve";
  append_part(name, "dataset", identity, "dataset_name");
  // The lengths of random prompts are in every file, whatever its data set.
  const auto dataset = identity.find("dataset_name");
  if (dataset == identity.end() || dataset->second.starts_with("random")) {
    append_part(name, "in", identity, "random_input_len");
    append_part(name, "out", identity, "random_output_len");
    append_part(name, "range", identity, "random_range_ratio");
  } else {
    append_part(name, "out", identity, "sharegpt_output_len");
  }
  append_part(name, "rate", identity, "request_rate");
  append_part(name, "concurrency", identity, "max_concurrency");
  return name;
}

ServingRun read_sglang_run(const Located& located, const MetricRegistry& registry,
                           Fields* environment) {
  ServingRun run = read_serving_run(located, kSglangSettings, kSglangIgnored, registry);
  const JsonCursor root = located.cursor();
  for (const std::string_view key : kSglangSettings) {
    if (key == "request_rate") continue;
    if (const auto text = scalar_at(root, key)) {
      add_field(&run.identity, std::string(key), *text, run.where);
    }
  }
  if (const auto rate = request_rate_text(located)) run.identity["request_rate"] = *rate;
  run.input_counts_differ = true;
  // The tool spreads a gap over the tokens that were accepted at once, then averages.
  const auto accepted = root.find("accept_length", &JsonCursor::number);
  run.gaps_are_raw = accepted.has_value() && *accepted > 0;
  const auto server = root.find("server_info");
  if (server && server->json().is_object()) {
    for (const auto& [key, value] : server->json().items()) {
      const auto text = scalar_text(value);
      if (!text || !is_server_setting(key)) continue;
      if (key == "model_path") {
        add_field(&run.identity, "model", *text, run.where);
      } else {
        add_field(environment, "server." + key, *text, run.where);
      }
    }
  }
  // Runs against a warm and a cold prefix cache are different work.
  const auto cache = root.find("cache_report");
  if (cache && cache->json().is_object()) {
    const auto percent = cache->find("cache_hit_rate_pct", &JsonCursor::number);
    if (percent && std::isfinite(*percent)) {
      run.observed["cache_hit_rate_pct"] = format_number(std::round(*percent));
    }
  }
  run.case_name = sglang_case_name(run.identity);
  return run;
}

}  // namespace

bool looks_like_sglang(const nlohmann::json& first) {
  return first.is_object() && first.contains("completed") && first.contains("backend") &&
         !first.contains("model_id") &&
         (first.contains("total_output_tokens_retokenized") ||
          first.contains("mean_e2e_latency_ms"));
}

Document read_sglang(std::string_view bytes, const std::string& name,
                     const MetricRegistry& registry) {
  Document document = new_document("sglang", name, bytes);
  std::vector<ServingRun> runs;
  for (const Located& located : read_documents(bytes, name)) {
    runs.push_back(read_sglang_run(located, registry, &document.environment));
  }
  if (const auto version = document.environment.find("server.version");
      version != document.environment.end()) {
    document.version = version->second;
  }
  add_serving_runs(&document, runs, registry);
  return document;
}

}  // namespace perfgate::import
