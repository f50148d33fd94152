// SPDX-License-Identifier: Apache-2.0
// The file that adds metrics to the registry.
#include "perfgate/base/error.h"
#include "perfgate/base/json/field_rule.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/evidence/metrics/parse_request_rules.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<MetricEntry> M>
void describe(V& v, M& m) {
  v("name", m.name, "canonical name");
  v("unit", m.unit, "canonical unit");
  v("direction", m.direction, "which way is better");
  v("kind", m.kind, "how two values are compared");
  v("family", m.family, "group of related metrics");
  v("aliases", m.aliases, "other names, without statistic and unit");
  v("needs_two_tokens", m.needs_two_tokens, "undefined for one output token");
}

namespace {

struct MetricsFile {
  std::vector<MetricEntry> metrics;
  std::vector<std::string> request_limits;
  std::string allowed_failures;
};

template <class V, IsStruct<MetricsFile> F>
void describe(V& v, F& f) {
  v("metrics", f.metrics, "what is added");
  v("request_limits", f.request_limits, "when a request is good: \"ttft=200ms\"");
  v("allowed_failures", f.allowed_failures, "share of requests that may fail: \"1%\"");
}

// Direction and unit decide verdicts: a file must not leave them to a default.
void require_fields(const JsonCursor& document) {
  for (const JsonCursor& metric : document.at("metrics", "expected a list").elements()) {
    for (const char* field : {"name", "unit", "direction", "kind"}) {
      metric.at(field, "name, unit, direction and kind have no defaults");
    }
  }
}

}  // namespace

MetricRegistry with_metrics(const MetricRegistry& registry, std::string_view text,
                            const std::string& where) {
  const nlohmann::json document = parse_strict_json(text, where);
  const JsonCursor root(document, where);
  require_fields(root);
  auto file = json_io::read_file_object<MetricsFile>(root, "perfgate-metrics", kMetricsVersion,
                                                     json_io::Author::kPerson);
  MetricRegistry extended = registry;
  for (std::size_t i = 0; i < file.metrics.size(); ++i) {
    MetricEntry& entry = file.metrics[i];
    const bool says_tokens = document["metrics"][i].contains("needs_two_tokens");
    for (const MetricEntry& known : extended.entries()) {
      if (known.name != entry.name) continue;
      if (entry.family.empty()) entry.family = known.family;
      if (!says_tokens) entry.needs_two_tokens = known.needs_two_tokens;
    }
    if (entry.family.empty()) entry.family = entry.name;
    extended.add(entry, where + ": /metrics/" + std::to_string(i), true);
  }
  if (!file.request_limits.empty() || !file.allowed_failures.empty()) {
    extended.set_request_rules(ParseRequestRules(file.request_limits, file.allowed_failures, where,
                                                 extended, Exit::kData));
  }
  return extended;
}

MetricRegistry read_metrics(const std::string& path) {
  const MetricRegistry built_in = MetricRegistry::built_in();
  return path.empty() ? built_in : with_metrics(built_in, ReadInputFile(path, kSettingsFile), path);
}

}  // namespace perfgate::inline evidence
