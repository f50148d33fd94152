// SPDX-License-Identifier: Apache-2.0
// Metric names, and the file that adds metrics: whatever it adds, known names keep their meaning.
#include <string_view>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(metrics) {
  static const perfgate::MetricRegistry registry = perfgate::MetricRegistry::built_in();
  if (const auto metric = registry.resolve(bytes)) perfgate::fuzz::require(metric->scale > 0);
  perfgate::fuzz::expect_only_errors([&] {
    const auto extended = perfgate::with_metrics(registry, bytes, "metrics.json");
    for (const perfgate::MetricEntry& entry : registry.entries()) {
      const auto metric = extended.resolve(entry.name);
      perfgate::fuzz::require(metric.has_value() && metric->metric.name == entry.name &&
                              metric->metric.direction == entry.direction);
    }
    for (const perfgate::MetricEntry& entry : extended.entries()) {
      for (const std::string& alias : entry.aliases) {
        const auto metric = extended.resolve(alias);
        perfgate::fuzz::require(metric.has_value() && metric->metric.name == entry.name);
      }
    }
  });
}
