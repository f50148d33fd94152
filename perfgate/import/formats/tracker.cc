// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/import/completeness.h"
#include "perfgate/import/record_value.h"

namespace perfgate::import {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kSections = {"environment", "config", "launch",
                                                       "workload", "results"};

// What the layout requires, by section.
constexpr std::string_view kTrackedEnvironment[] = {
    "date",           "git_sha_vllm",  "git_sha_flashinfer", "docker_image_hash", "cuda_version",
    "driver_version", "cudnn_version", "gpu_clocks",         "gpu_power_mode"};
constexpr std::string_view kTrackedWorkload[] = {"config.quantization",
                                                 "config.tensor_parallel_size",
                                                 "config.max_model_len",
                                                 "config.max_num_seqs",
                                                 "config.max_num_batched_tokens",
                                                 "config.enforce_eager",
                                                 "config.enable_prefix_caching",
                                                 "config.load_format",
                                                 "config.served_model",
                                                 "config.env_vars.VLLM_MXFP4_MOE_KERNEL",
                                                 "config.env_vars.VLLM_ATTENTION_BACKEND",
                                                 "config.env_vars.VLLM_USE_CUDA_GRAPH",
                                                 "launch.tool",
                                                 "launch.model",
                                                 "launch.prompt_length",
                                                 "launch.output_lengths",
                                                 "launch.num_requests",
                                                 "launch.warmup",
                                                 "launch.profile",
                                                 "prompt_length",
                                                 "output_lengths",
                                                 "batch_size",
                                                 "concurrency",
                                                 "temperature",
                                                 "top_p",
                                                 "top_k",
                                                 "seed",
                                                 "tokenizer",
                                                 "warmup_requests",
                                                 "test_requests"};
constexpr std::string_view kTrackedResults[] = {"startup_time_s",
                                                "throughput.pp2048_tps",
                                                "throughput.tg32_tps",
                                                "throughput.tg128_tps",
                                                "latency.ttft_p50_ms",
                                                "latency.ttft_p99_ms",
                                                "latency.tpot_p50_ms",
                                                "latency.tpot_p99_ms",
                                                "latency.itl_p50_ms",
                                                "latency.itl_p99_ms",
                                                "latency.e2e_p50_ms",
                                                "latency.e2e_p99_ms",
                                                "resource.gpu_memory_peak_gb",
                                                "resource.cpu_usage_percent"};

Fields fields_of(const JsonCursor& document, std::string_view name, const std::string& prefix) {
  Fields fields;
  const JsonCursor section = document.at(name);
  section.require_object();
  for (const auto& [key, value] : section.json().items()) add_fields(fields, prefix + key, value);
  return fields;
}

// "pp2048_tps" is prompt processing, "tg128_tps" generation: which point, and which metric.
struct Point {
  std::string part;  // "/pp:2048", empty for a metric of the whole run
  std::string metric;
};

Point point_of(std::string_view name) {
  const std::string_view stem = name.substr(0, name.rfind('_'));
  for (const auto& [word, metric] :
       {std::pair("pp", "input_throughput_tok_s"), std::pair("tg", "output_throughput_tok_s")}) {
    const std::string_view digits = stem.substr(stem.starts_with(word) ? 2 : stem.size());
    const bool number =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (number && name.ends_with("_tps")) {
      return {std::string("/") + word + ":" + std::string(digits), metric};
    }
  }
  return {"", std::string(name)};
}

Record record_of(const std::string& case_name, const std::string& field, double value,
                 const MetricRegistry& registry) {
  const Point point = point_of(field.substr(field.rfind('.') + 1));
  Record record;
  record.case_name = case_name + point.part;
  record.row = 1;
  const auto known = registry.resolve(point.metric);
  if (known) {
    record.metric = known->metric;
    record.statistic = known->statistic;
    value *= known->scale;
  } else {
    record.metric = Metric{point.metric, "1", Direction::kLower, Kind::kScore};
    record.informational = record.unknown = true;
  }
  if (!record.statistic.empty()) record.kind = RecordKind::kAggregate;
  set_value(record, value);
  return record;
}

void add_results(const Fields& results, const std::string& case_name, const std::string& where,
                 const MetricRegistry& registry, Document& document) {
  for (const auto& [field, text] : results) {
    if (is_pending(text) || text == "-") {
      document.unstated["results." + field] = kPending;
      continue;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw Error(Exit::kData,
                  fmt::format(R"({}: /results: {} is "{}"; expected a number, or "<pending>")",
                              where, field, text));
    }
    document.records.push_back(record_of(case_name, field, value, registry));
  }
  for (const std::string_view field : kTrackedResults) {
    if (!results.contains(std::string(field))) {
      document.unstated.try_emplace("results." + std::string(field), kMissing);
    }
  }
}

// Which kernels ran is checked by the tracker; what it could not see or found wrong is no result.
void check_kernels(const json& document, const std::string& case_name, const std::string& where,
                   Document& read) {
  const auto found = document.find("kernel_validation");
  const json none = json::object();
  const json& validation = found == document.end() ? none : *found;
  const json word = validation.is_object() ? validation.value("validation", json()) : json();
  const std::string field = "kernel_validation.validation";
  if (word == "PASS") return;
  if (word == "FAIL") {
    Record record;
    record.case_name = case_name;
    record.row = 1;
    fail(record, Status::kFailed, "kernel_validation says FAIL: other kernels ran than expected");
    read.records.push_back(record);
  } else if (word.is_null()) {
    read.unstated[field] = kMissing;
  } else if (word.is_string() && is_pending(word.get<std::string>())) {
    read.unstated[field] = kPending;
  } else {
    throw Error(Exit::kData, where +
                                 ": /kernel_validation/validation: expected \"PENDING\", "
                                 "\"PASS\" or \"FAIL\"");
  }
}

void require(std::span<const std::string_view> names, const Fields& fields,
             const std::string& section_name, Document& document) {
  for (const std::string_view name : names) {
    if (fields.contains(std::string(name))) continue;
    document.unstated.try_emplace(section_name + std::string(name), kMissing);
  }
}

}  // namespace

bool looks_like_tracker(const json& first) {
  return first.is_object() && std::ranges::all_of(kSections, [&](std::string_view name) {
           return first.contains(std::string(name));
         });
}

Document read_tracker(std::string_view bytes, const std::string& name,
                      const MetricRegistry& registry) {
  Document document = new_document("tracker", name, bytes);
  const json parsed = parse_strict_json(bytes, name);
  if (!looks_like_tracker(parsed)) {
    throw Error(Exit::kData, name +
                                 ": expected an object of the sections environment, config, "
                                 "launch, workload and results");
  }
  const JsonCursor root(parsed, name);
  document.environment = fields_of(root, "environment", "");
  Fields workload = fields_of(root, "workload", "");
  for (const std::string prefix : {"config", "launch"}) {
    workload.merge(fields_of(root, prefix, prefix + "."));
  }
  const auto stated = [&](const std::string& field) {
    const auto found = workload.find(field);
    return found == workload.end() ? std::string() : found->second;
  };
  for (const std::string field : {"prompt_length", "output_lengths"}) {
    const std::string asked = stated("launch." + field), run = stated(field);
    if (asked.empty() || run.empty() || asked == run || is_pending(asked) || is_pending(run)) {
      continue;
    }
    throw Error(Exit::kInvalid,
                fmt::format("{}: /launch/{} is {} and /workload/{} {}; one run has one", name,
                            field, asked, field, run));
  }
  const std::string profile = stated("launch.profile");
  const std::string case_name = profile.empty() || is_pending(profile) ? "run" : profile;

  require(kTrackedEnvironment, document.environment, "environment.", document);
  require(kTrackedWorkload, workload, "workload.", document);
  add_results(fields_of(root, "results", ""), case_name, name, registry, document);
  check_kernels(parsed, case_name, name, document);
  // The date tells two runs apart and says nothing of where they ran.
  if (const auto date = document.environment.find("date"); date != document.environment.end()) {
    if (is_pending(date->second) || date->second == "-") {
      document.unstated["environment.date"] = kPending;
    } else {
      document.recorded = date->second;
    }
    document.environment.erase(date);
  }
  document.workload[case_name] = workload;
  for (const Record& record : document.records) document.workload[record.case_name] = workload;
  return document;
}

}  // namespace perfgate::import
