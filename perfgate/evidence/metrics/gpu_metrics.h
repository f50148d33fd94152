// SPDX-License-Identifier: Apache-2.0
// gpu_metrics.h: the counters in which a GPU case says under what conditions it was timed.
//
// They are recorded in sessions beside the times and never gated: they have no columns in verdicts.
// Two of them take part in the verdict on a time, gpu_cycles and gpu_calls_per_sample
// (verdict/clock_check.h). docs/gpu.md says what each means.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "perfgate/evidence/metrics/distribution.h"
#include "perfgate/evidence/metrics/metric.h"
#include "perfgate/evidence/result_digest.h"

namespace perfgate::inline evidence {

inline constexpr std::string_view kGpuCycles = "gpu_cycles";
inline constexpr std::string_view kGpuSmMhz = "gpu_sm_mhz";
inline constexpr std::string_view kGpuMemMhz = "gpu_mem_mhz";
inline constexpr std::string_view kGpuTemperature = "gpu_temperature_c";
inline constexpr std::string_view kGpuPower = "gpu_power_w";
inline constexpr std::string_view kGpuThrottle = "gpu_throttle";
inline constexpr std::string_view kGpuCallsPerSample = "gpu_calls_per_sample";
inline constexpr std::string_view kGpuFreeMemory = "gpu_free_memory_mib";
inline constexpr std::string_view kGpuOtherProcesses = "gpu_other_processes";
inline constexpr std::string_view kGpuPeakMemory = "gpu_peak_memory_mib";
inline constexpr std::string_view kGpuKernelsChecked = "gpu_kernels_checked";

struct GpuMetric {
  std::string_view name;
  std::string_view unit;
  Direction direction;
  Kind kind;
};

// Positive ones are times and rates, so that they can be compared by ratio; the others may be 0.
inline constexpr std::array kGpuMetrics = {
    GpuMetric{kGpuCycles, "cycles", Direction::kLower, Kind::kTime},
    GpuMetric{kGpuSmMhz, "MHz", Direction::kHigher, Kind::kRate},
    GpuMetric{kGpuMemMhz, "MHz", Direction::kHigher, Kind::kRate},
    GpuMetric{kGpuTemperature, "C", Direction::kLower, Kind::kScore},
    GpuMetric{kGpuPower, "W", Direction::kLower, Kind::kScore},
    GpuMetric{kGpuThrottle, "", Direction::kLower, Kind::kScore},
    GpuMetric{kGpuCallsPerSample, "", Direction::kLower, Kind::kCount},
    GpuMetric{kGpuFreeMemory, "MiB", Direction::kHigher, Kind::kScore},
    GpuMetric{kGpuOtherProcesses, "", Direction::kLower, Kind::kCount},
    GpuMetric{kGpuPeakMemory, "MiB", Direction::kLower, Kind::kScore},
    GpuMetric{kGpuKernelsChecked, "", Direction::kHigher, Kind::kCount},
};

// Recorded, never gated.
inline bool is_informational(std::string_view metric_name) {
  return metric_name == kResultDigest || IsSamplesMetric(metric_name) ||
         std::ranges::any_of(kGpuMetrics, [metric_name](const GpuMetric& metric) {
           return metric.name == metric_name;
         });
}

}  // namespace perfgate::inline evidence
