// SPDX-License-Identifier: Apache-2.0
// vllm_serve_samples.h: sample files of vLLM's serving benchmark, whole and changed.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "perfgate/import/serving/vllm_serve.h"
#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import::vllm {

using nlohmann::json;

inline json sample(const std::string& file) {
  return json::parse(sample_bytes("vllm_serve/" + file));
}

inline Document read(const json& document) { return read_vllm_serve(document.dump(), "f.json"); }

inline Document read_file(const std::string& file) {
  return read_vllm_serve(sample_bytes("vllm_serve/" + file), file);
}

// The refusal of a sample after a change.
inline Refusal refused(const std::string& file, const std::function<void(json&)>& change) {
  json document = sample(file);
  change(document);
  return refusal([&] { read(document); });
}

inline std::set<std::string> metrics_of(const Document& document, RecordKind kind) {
  std::set<std::string> names;
  for (const Record& record : document.records) {
    if (record.kind == kind && !record.informational) names.insert(record.metric.name);
  }
  return names;
}

inline std::vector<Record> not_ok(const Document& document) {
  std::vector<Record> found;
  for (const Record& record : document.records) {
    if (record.status != Status::kOk) found.push_back(record);
  }
  return found;
}

}  // namespace perfgate::import::vllm
