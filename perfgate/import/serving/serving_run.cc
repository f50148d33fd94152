// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/serving_run.h"

#include <algorithm>

#include "perfgate/evidence/metrics/metric_registry.h"

namespace perfgate::import {
namespace {

using nlohmann::json;

// Read by name below.
constexpr std::string_view kCommon[] = {
    "duration",   "completed", "failed",      "total_input_tokens", "total_output_tokens",
    "input_lens", "ttfts",     "output_lens", "latencies",          "queue_times",
    "itls",       "errors"};

bool holds(std::span<const std::string_view> keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

void read_run_summaries(const JsonCursor& document, std::span<const std::string_view> settings,
                        std::span<const std::string_view> ignored, const MetricRegistry& registry,
                        ServingRun* run) {
  for (const auto& [key, value] : document.json().items()) {
    if (holds(kCommon, key) || holds(settings, key) || holds(ignored, key)) continue;
    if (value.is_number() && (registry.resolve(key) || !value.is_number_integer())) {
      run->summaries.push_back({key, document.at(key).number()});
    } else if (const auto text = scalar_text(value)) {
      add_field(&run->identity, "extra." + key, *text, run->where);
    }
  }
}

}  // namespace

ServingRun read_serving_run(const Located& document, std::span<const std::string_view> settings,
                            std::span<const std::string_view> ignored,
                            const MetricRegistry& registry) {
  ServingRun run;
  run.where = document.where;
  run.row = document.row;
  const JsonCursor root = document.cursor();
  run.asked = root.find("num_prompts", &JsonCursor::count);
  run.completed = root.find("completed", &JsonCursor::count);
  run.failed = root.find("failed", &JsonCursor::count);
  run.input_tokens = root.find("total_input_tokens", &JsonCursor::count);
  run.output_tokens = root.find("total_output_tokens", &JsonCursor::count);
  run.duration_s = root.find("duration", &JsonCursor::number);
  run.input_lens = root.find("input_lens", &JsonCursor::counts);
  // An embedding run, which generates nothing, writes the number 0.
  if (root.json().value("output_lens", json()).is_array()) {
    run.output_lens = root.at("output_lens").counts();
  }
  run.ttfts = root.find("ttfts", &JsonCursor::numbers);
  run.latencies = root.find("latencies", &JsonCursor::numbers);
  run.queue_times = root.find("queue_times", &JsonCursor::numbers);
  if (const auto gaps = root.find("itls")) run.itls = gaps->list(&JsonCursor::numbers);
  if (const auto errors = root.find("errors")) run.errors = errors->list(text_or_empty);
  read_run_summaries(root, settings, ignored, registry, &run);
  return run;
}

void append_part(std::string& name, const char* word, const Fields& identity, const char* key) {
  const auto found = identity.find(key);
  if (found != identity.end()) name += std::string("/") + word + ":" + found->second;
}

std::optional<std::string> request_rate_text(const Located& document) {
  const auto found = document.cursor().find("request_rate");
  if (!found) return std::nullopt;
  const json& rate = found->json();
  if (rate == "inf") return "inf";
  // SGLang replaying a trace
  if (rate == "trace") return "trace";
  if (!rate.is_number() || !(rate.get<double>() > 0)) found->refuse("a rate above 0 or \"inf\"");
  return scalar_text(rate);
}

}  // namespace perfgate::import
