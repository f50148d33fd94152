// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/vllm_serve.h"

#include <vector>

#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_records.h"
#include "perfgate/import/serving/serving_run.h"

namespace perfgate::import {
namespace {

// How the run was set up.
constexpr std::string_view kVllmSettings[] = {
    "backend",         "endpoint_type", "model_id",        "tokenizer_id",     "num_prompts",
    "request_rate",    "burstiness",    "max_concurrency", "ramp_up_strategy", "ramp_up_start_rps",
    "ramp_up_end_rps", "best_of",       "use_beam_search"};

// Neither set-up nor a measurement that anybody compares.
constexpr std::string_view kVllmIgnored[] = {"date",
                                             "label",
                                             "start_times",
                                             "generated_texts",
                                             "rps_change_events",
                                             "max_concurrent_requests",
                                             "max_output_tokens_per_s",
                                             "total_input_sequences",
                                             "probe_completed",
                                             "probe_failed",
                                             "spec_decode_num_drafts",
                                             "spec_decode_draft_tokens",
                                             "spec_decode_accepted_tokens",
                                             "spec_decode_per_position_acceptance_rates",
                                             "diffusion_committed_tokens",
                                             "diffusion_denoising_steps",
                                             "diffusion_canvas_positions"};

std::string vllm_case_name(const Fields& identity) {
  std::string name = "serve";
  append_part(name, "rate", identity, "request_rate");
  append_part(name, "concurrency", identity, "max_concurrency");
  append_part(name, "ramp", identity, "ramp_up_strategy");
  append_part(name, "prompts", identity, "num_prompts");
  return name;
}

ServingRun read_vllm_run(const Located& document, const MetricRegistry& registry) {
  ServingRun run = read_serving_run(document, kVllmSettings, kVllmIgnored, registry);
  const auto keep = [&](const char* key, const std::string& as) {
    const auto text = scalar_at(document.cursor(), key);
    if (text) add_field(&run.identity, as, *text, run.where);
  };
  for (const std::string_view key : kVllmSettings) {
    const std::string name(key);
    if (name == "request_rate" || name == "endpoint_type") continue;
    keep(name.c_str(), name == "model_id" ? "model" : name == "tokenizer_id" ? "tokenizer" : name);
  }
  if (const auto rate = request_rate_text(document)) run.identity["request_rate"] = *rate;
  run.case_name = vllm_case_name(run.identity);
  return run;
}

}  // namespace

bool looks_like_vllm_serve(const nlohmann::json& first) {
  return first.is_object() && first.contains("model_id") && first.contains("tokenizer_id") &&
         first.contains("completed") && first.contains("request_throughput");
}

Document read_vllm_serve(std::string_view bytes, const std::string& name,
                         const MetricRegistry& registry) {
  Document document = new_document("vllm_serve", name, bytes);
  std::vector<ServingRun> runs;
  for (const Located& located : read_documents(bytes, name))
    runs.push_back(read_vllm_run(located, registry));
  add_serving_runs(&document, runs, registry);
  return document;
}

}  // namespace perfgate::import
