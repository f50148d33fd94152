// SPDX-License-Identifier: Apache-2.0
// metrics.h: how a benchmark says that one of its counters is worth gating.
//
//   #include <perfgate/bench/metrics.h>
//   PERFGATE_METRIC("tokens_per_s", "tok/s", perfgate::bench::Direction::kHigher,
//                   perfgate::bench::Kind::kRate)
//
// at namespace scope, in any source file of the benchmark executable, declares the counter
// state.counters["tokens_per_s"] of every case that sets it. real_time (seconds, lower is better)
// needs no declaration; counters that nobody declares are shown and never gated.
//
// Kinds: a time (seconds or a multiple), a rate (work per time), a count (whole numbers:
// allocations, tokens) and a score (anything else: error, quality). Times and rates are compared as
// ratios, counts and scores as differences, because those may be 0.
//
// A name that is empty, reserved or declared twice stops the executable at its start with exit code
// 70, by hand and as a worker: a gate that read the wrong column would be worse than none.
#pragma once

#include <string>
#include <vector>

namespace perfgate::bench {

enum class Direction { kLower, kHigher };          // which side is better
enum class Kind { kTime, kRate, kCount, kScore };  // see above

struct Metric {
  std::string name;  // of the counter
  std::string unit;  // as printed, may be empty
  Direction direction = Direction::kLower;
  Kind kind = Kind::kTime;
};

// Records a declaration; what PERFGATE_METRIC expands to. Never throws: it runs before main().
bool DeclareMetric(const char* name, const char* unit, Direction direction, Kind kind) noexcept;

// Declares the counters of evidence/metrics/gpu_metrics.h, which are recorded and never gated. For
// GpuMeter.
bool DeclareGpuMetrics() noexcept;

// Declares the counter "result_digest": a whole number below 2^53 that says what the case computed.
// It is recorded and never gated; perfgate ablate compares it between cases that state the same
// Work::result.
bool DeclareResultDigest() noexcept;

// real_time, then what was declared, in the order of declaration.
std::vector<Metric> DeclaredMetrics();

// Empty if `metrics` (as DeclaredMetrics returns them) can be used, else what is wrong with the
// first one that cannot: an empty name, bytes that are not UTF-8, a reserved or a repeated name.
std::string MetricsError(const std::vector<Metric>& metrics);

// "lower", "higher"; "time", "rate", "count", "score".
const char* Word(Direction direction);
const char* Word(Kind kind);

}  // namespace perfgate::bench

#define PERFGATE_INTERNAL_JOIN2(a, b) a##b
#define PERFGATE_INTERNAL_JOIN(a, b) PERFGATE_INTERNAL_JOIN2(a, b)
#define PERFGATE_METRIC(name, unit, direction, kind)                                         \
  [[maybe_unused]] static const bool PERFGATE_INTERNAL_JOIN(perfgate_metric_, __COUNTER__) = \
      ::perfgate::bench::DeclareMetric(name, unit, direction, kind);
