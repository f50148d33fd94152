// SPDX-License-Identifier: Apache-2.0
// metric_registry.h: what the metric names of serving and benchmark tools mean.
//
// Tools spell one quantity in many ways: "mean_ttft_ms", "TTFT (ms)", "ttft_p99". A name is read as
//
//     [statistic_]stem[_unit]      or      stem[_statistic][_unit]      or      ... (unit)
//
// in any case, with spaces, hyphens, slashes or colons for underscores. The stem is looked up among
// the names and aliases of the registry; no alias may itself look like a decorated one, so every
// name has at most one reading. A name that the registry does not hold has no known unit and no
// known better direction: such a metric is shown and never judged (reason `unknown_metric`).
//
//     const MetricRegistry registry = MetricRegistry::built_in();
//     const auto metric = registry.resolve("p99_tpot_ms");
//     // metric->metric.name == "tpot", metric->statistic == "p99", metric->scale == 1e-3
//
// docs/metrics.md lists the built-in metrics and the format of the file that adds others.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perfgate/evidence/metrics/metric.h"
#include "perfgate/evidence/metrics/request_rules.h"

namespace perfgate::inline evidence {

inline constexpr int kMetricsVersion = 1;

// One metric, whatever statistic of it a file holds.
struct MetricEntry {
  std::string name;    // canonical, also its first alias: "ttft"
  std::string family;  // "ttft", "tpot", "itl", "e2e", "latency", "throughput", ...
  std::string unit;    // canonical: s, B, B/s, tok/s, req/s, Hz, 1, 1/s
  Direction direction = Direction::kLower;
  Kind kind = Kind::kTime;
  std::vector<std::string> aliases;  // further stems, without statistic and unit
  // Tools that average over no value at all print 0: such a metric does not exist for requests of
  // one output token.
  bool needs_two_tokens = false;
};

struct ResolvedMetric {
  Metric metric;  // canonical name and unit
  std::string family;
  std::string statistic;  // "mean", "median", "p99", "stddev", "min", "max"; empty: not said
  std::string unit;       // as the name says it, canonically spelled: "ms"; empty: not said
  double scale = 1;       // a value in `unit` times this is in metric.unit
  bool needs_two_tokens = false;
  bool declared = false;  // this spelling comes from a metrics file, not from perfgate's own table
};

// What a number of unit `from` must be multiplied by to be in unit `to`; nothing where they do not
// measure the same. Knows s ms us ns min h, B KB KiB ..., B/s ..., tok/s, req/s, Hz ..., 1 %, 1/s
// and their usual spellings ("seconds", "tokens/s", "tps").
std::optional<double> unit_scale(std::string_view from, std::string_view to);

// The canonical spelling of a unit: "tokens/s" is "tok/s". Nothing for unknown ones.
std::optional<std::string> canonical_unit(std::string_view text);

// "mean", "median", "stddev", "min", "max", "p99", "p99.9"; nothing for other words. "avg" is a
// mean and "p50" a median.
std::optional<std::string> canonical_statistic(std::string_view word);

class MetricRegistry {
 public:
  // Throws like add().
  explicit MetricRegistry(const std::vector<MetricEntry>& entries);

  // The metrics of docs/metrics.md.
  static MetricRegistry built_in();

  // Adds a metric, or aliases to a known one. `where` starts the messages. Error(kInvalid) where a
  // name would get a second meaning (another unit, direction, family, kind or metric); Error(kData)
  // for an alias that carries a statistic or a unit, an empty name, or a unit that is not
  // canonical. declared: what ResolvedMetric::declared says of these names.
  void add(const MetricEntry& entry, const std::string& where, bool declared = false);

  std::optional<ResolvedMetric> resolve(std::string_view name) const;

  // In order of their names.
  std::vector<MetricEntry> entries() const;

  // What readers of files with single requests demand of them; nothing, to begin with.
  const RequestRules& request_rules() const { return request_rules_; }
  void set_request_rules(RequestRules rules) { request_rules_ = std::move(rules); }

 private:
  struct Stem {
    std::string name;  // canonical
    bool declared = false;
  };

  std::map<std::string, MetricEntry, std::less<>> entries_;  // by canonical name
  std::map<std::string, Stem, std::less<>> stems_;           // by normalised stem
  RequestRules request_rules_;
};

// Adds the metrics and the rules of requests of a file
// {"format":"perfgate-metrics","version":1,"metrics":[...],"request_limits":["ttft=200ms"],
// "allowed_failures":"1%"}; fields and refusals in docs/metrics.md. Nothing is added where anything
// is refused.
MetricRegistry with_metrics(const MetricRegistry& registry, std::string_view text,
                            const std::string& where);

// The built-in metrics and those of a file; an empty path names none. Error(kData) where it cannot
// be read.
MetricRegistry read_metrics(const std::string& path);

}  // namespace perfgate::inline evidence
