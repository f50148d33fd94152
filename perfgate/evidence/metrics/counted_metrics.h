// SPDX-License-Identifier: Apache-2.0
// counted_metrics.h: what a gate can count beside the time of a case, where it is asked to
// (Policy::count), and how it judges that.
//
//   instructions     retired in user mode, per iteration. They hardly vary: gated at 0.1 %
//   cycles           of the core in user mode, per iteration
//   branch_misses    mispredicted branches, per iteration
//   cache_misses     loads that missed the last cache, as the processor counts them, per iteration
//   peak_rss         largest resident memory of the process while a slice ran, bytes
//   allocs_per_iter  calls of an allocator, as the benchmark's own MemoryManager counts them
//   max_bytes_used   most bytes that were allocated at once, likewise
//
// The first four are read from perf_event by the gate, not by the program that is measured. All but
// instructions are shown, and gated where a rule of the policy says so. None replaces the time.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::inline evidence {

enum class CountedBy { kEvents, kProcess, kBenchmark };

struct CountedMetric {
  std::string_view name;
  std::string_view unit;
  Kind kind;  // events are positive and compared by ratio, as times are
  CountedBy by;
  bool gate;         // where no rule says anything
  double tolerance;  // likewise
};

inline constexpr std::array kCountedMetrics = {
    CountedMetric{"instructions", "1", Kind::kTime, CountedBy::kEvents, true, 0.001},
    CountedMetric{"cycles", "1", Kind::kTime, CountedBy::kEvents, false, 0.02},
    CountedMetric{"branch_misses", "1", Kind::kTime, CountedBy::kEvents, false, 0.02},
    CountedMetric{"cache_misses", "1", Kind::kTime, CountedBy::kEvents, false, 0.02},
    CountedMetric{"peak_rss", "B", Kind::kCount, CountedBy::kProcess, false, 0},
    CountedMetric{"allocs_per_iter", "1", Kind::kCount, CountedBy::kBenchmark, false, 0},
    CountedMetric{"max_bytes_used", "B", Kind::kCount, CountedBy::kBenchmark, false, 0},
};

// None for other names.
inline const CountedMetric* FindCountedMetric(std::string_view name) {
  const auto* const found =
      std::find_if(kCountedMetrics.begin(), kCountedMetrics.end(),
                   [name](const CountedMetric& metric) { return metric.name == name; });
  return found == kCountedMetrics.end() ? nullptr : found;
}

inline Metric MetricOf(const CountedMetric& counted) {
  return {std::string(counted.name), std::string(counted.unit), Direction::kLower, counted.kind};
}

}  // namespace perfgate::inline evidence
