// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/vllm_throughput.h"

#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_json.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

constexpr const char* kThroughputCase = "throughput";

constexpr std::string_view kExpected = "expected the five fields that vllm bench throughput writes";

}  // namespace

bool looks_like_vllm_throughput(const nlohmann::json& first) {
  return first.is_object() && first.contains("elapsed_time") && first.contains("num_requests") &&
         first.contains("tokens_per_second");
}

Document read_vllm_throughput(std::string_view bytes, const std::string& name) {
  Document document = new_document("vllm_throughput", name, bytes);
  const std::vector<Located> documents = read_documents(bytes, name);
  if (documents.size() > 1) {
    throw Error(
        Exit::kInvalid,
        documents[1].where + ": a second document; vllm bench throughput writes one per file");
  }
  const Located& located = documents[0];
  const JsonCursor root = located.cursor();
  const double elapsed = root.at("elapsed_time", kExpected).number();
  const std::int64_t requests = root.at("num_requests", kExpected).count();
  const std::int64_t tokens = root.at("total_num_tokens", kExpected).count();
  const bool possible = std::isfinite(elapsed) && elapsed > 0;

  const MetricRegistry registry = MetricRegistry::built_in();
  const auto add = [&](const char* key, const char* metric, std::int64_t count) {
    const double value = root.at(key, kExpected).number();
    Record record;
    record.case_name = kThroughputCase;
    record.order = 0;
    record.row = 1;
    // "tokens_per_second" alone would not say that prompts count.
    record.metric = registry.resolve(metric)->metric;
    if (possible && count > 0 && std::isfinite(value)) {
      check_summary(located.where, std::string("/") + key, value,
                    static_cast<double>(count) / elapsed);
    }
    if (requests == 0) {
      record.status = Status::kFailed;
      record.detail = "no request was run";
    } else if (!possible) {
      record.status = Status::kRejected;
      record.detail = "an elapsed time of " +
                      (std::isfinite(elapsed) ? format_number(elapsed) : std::string("no number"));
    } else if (!std::isfinite(value) || value <= 0) {
      record.status = Status::kRejected;
      record.detail = "not a throughput above 0";
    } else {
      record.value = value;
    }
    document.records.push_back(std::move(record));
  };
  add("requests_per_second", "request_throughput", requests);
  add("tokens_per_second", "total_token_throughput", tokens);
  document.workload[kThroughputCase] = {{"num_requests", std::to_string(requests)},
                                        {"total_num_tokens", std::to_string(tokens)}};
  document.warnings.push_back(located.where +
                              ": the file does not say which model and lengths were run; only a "
                              "launcher's record can");
  return document;
}

}  // namespace perfgate::import
