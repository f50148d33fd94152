// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/metrics.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "perfgate/base/text/utf8.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/evidence/result_digest.h"

namespace perfgate::bench {
namespace {

// Keys that Google Benchmark writes beside the counters of a row, and those of the worker
// protocol: a counter of the same name would be a duplicate key that readers resolve differently.
constexpr std::array<std::string_view, 37> kReserved = {"name",
                                                        "family_index",
                                                        "per_family_instance_index",
                                                        "run_name",
                                                        "run_type",
                                                        "repetitions",
                                                        "repetition_index",
                                                        "threads",
                                                        "aggregate_name",
                                                        "aggregate_unit",
                                                        "iterations",
                                                        "real_time",
                                                        "cpu_time",
                                                        "time_unit",
                                                        "error_occurred",
                                                        "error_message",
                                                        "skipped",
                                                        "skip_message",
                                                        "label",
                                                        "allocs_per_iter",
                                                        "max_bytes_used",
                                                        "total_allocated_bytes",
                                                        "net_heap_growth",
                                                        "cpu_coefficient",
                                                        "real_coefficient",
                                                        "big_o",
                                                        "rms",
                                                        "bigo",
                                                        "context",
                                                        "benchmarks",
                                                        "case",
                                                        "counters",
                                                        "real_s",
                                                        "cpu_s",
                                                        "total_s",
                                                        "wall_s",
                                                        "manual_time"};

// Function-local, so that a declaration in another source file finds it constructed.
std::vector<Metric>& Declarations() {
  static std::vector<Metric> declarations;
  return declarations;
}

Metric Declaration(const GpuMetric& metric) {
  return {std::string(metric.name), std::string(metric.unit),
          metric.direction == perfgate::Direction::kLower ? Direction::kLower : Direction::kHigher,
          metric.kind == perfgate::Kind::kTime    ? Kind::kTime
          : metric.kind == perfgate::Kind::kRate  ? Kind::kRate
          : metric.kind == perfgate::Kind::kCount ? Kind::kCount
                                                  : Kind::kScore};
}

Metric DigestDeclaration() {
  return {std::string(kResultDigest), "", Direction::kLower, Kind::kCount};
}

bool IsSameMeaning(const Metric& a, const Metric& b) {
  return a.unit == b.unit && a.direction == b.direction && a.kind == b.kind;
}

// These have one meaning everywhere, which a benchmark cannot change.
bool IsForeignMeaning(const Metric& metric) {
  if (metric.name == kResultDigest) return !IsSameMeaning(metric, DigestDeclaration());
  for (const GpuMetric& known : kGpuMetrics) {
    if (known.name != metric.name) continue;
    return !IsSameMeaning(metric, Declaration(known));
  }
  return false;
}

}  // namespace

bool DeclareMetric(const char* name, const char* unit, Direction direction, Kind kind) noexcept {
  Declarations().push_back(
      {name == nullptr ? "" : name, unit == nullptr ? "" : unit, direction, kind});
  return true;
}

bool DeclareGpuMetrics() noexcept {
  for (const GpuMetric& metric : kGpuMetrics) {
    Declarations().push_back(Declaration(metric));
  }
  return true;
}

bool DeclareResultDigest() noexcept {
  Declarations().push_back(DigestDeclaration());
  return true;
}

std::vector<Metric> DeclaredMetrics() {
  std::vector<Metric> metrics = {{"real_time", "s", Direction::kLower, Kind::kTime}};
  metrics.insert(metrics.end(), Declarations().begin(), Declarations().end());
  return metrics;
}

std::string MetricsError(const std::vector<Metric>& metrics) {
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < metrics.size(); ++i) {
    const std::string& name = metrics[i].name;
    const std::string quoted = "PERFGATE_METRIC(\"" + VisibleText(name) + "\"): ";
    if (name.empty()) {
      return quoted + "the name is empty; give the name of the counter.";
    }
    if (VisibleText(name) != name || VisibleText(metrics[i].unit) != metrics[i].unit) {
      return quoted + "name and unit must be valid UTF-8.";
    }
    if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end() ||
        IsForeignMeaning(metrics[i])) {
      return quoted +
             "the name is reserved, because result files use it for something else; "
             "rename the counter.";
    }
    if (!seen.insert(name).second) {
      return quoted + "declared twice; keep one declaration (and none in a header).";
    }
  }
  return "";
}

const char* Word(Direction direction) {
  return direction == Direction::kLower ? "lower" : "higher";
}

const char* Word(Kind kind) {
  switch (kind) {
    case Kind::kTime:
      return "time";
    case Kind::kRate:
      return "rate";
    case Kind::kCount:
      return "count";
    case Kind::kScore:
      break;
  }
  return "score";
}

}  // namespace perfgate::bench
