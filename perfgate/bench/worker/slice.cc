// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/slice.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "perfgate/bench/invalid.h"
#include "perfgate/bench/worker/quiet_reporter.h"

namespace perfgate::bench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

// Sums over runs; `iterations` and times are those of one thread.
struct Sum {
  std::int64_t iterations = 0;
  double real_s = 0;
  double cpu_s = 0;
  struct Weighted {
    double value = 0;
    double weight = 0;
  };
  std::map<std::string, Weighted> counters;
};

// What to multiply the library's seconds by to get those of one thread's iterations.
double PerThread(const Run& run) {
#if PERFGATE_BENCHMARK_1_9
  (void)run;
  return 1;
#else
  return static_cast<double>(run.threads);
#endif
}

// Adds `run`, which stands for `iterations` iterations of each thread.
void Add(const Run& run, std::int64_t iterations, bool process_time, Sum* sum) {
  const auto rows = static_cast<double>(run.iterations);
  const auto n = static_cast<double>(iterations);
  const double real = run.real_accumulated_time / rows * PerThread(run) * n;
  sum->iterations += iterations;
  sum->real_s += real;
  sum->cpu_s += run.cpu_accumulated_time / rows * (process_time ? PerThread(run) : 1) * n;
  for (const auto& [name, counter] : run.counters) {
    const bool rate = (counter.flags & benchmark::Counter::kIsRate) != 0;
    const double weight = rate && std::isfinite(real) && real > 0 ? real : n;
    Sum::Weighted& into = sum->counters[name];
    into.value += counter.value * weight;
    into.weight += weight;
  }
}

#if PERFGATE_BENCHMARK_1_8
SliceResult::Outcome OutcomeOf(const Run& run) {
  if (run.skipped == benchmark::internal::SkippedWithError) return SliceResult::Outcome::kFailed;
  return run.skipped == benchmark::internal::NotSkipped ? SliceResult::Outcome::kOk
                                                        : SliceResult::Outcome::kSkipped;
}
const std::string& MessageOf(const Run& run) { return run.skip_message; }
#else
SliceResult::Outcome OutcomeOf(const Run& run) {
  return run.error_occurred ? SliceResult::Outcome::kFailed : SliceResult::Outcome::kOk;
}
const std::string& MessageOf(const Run& run) { return run.error_message; }
#endif

SliceResult Failure(SliceResult::Outcome outcome, std::string message) {
  SliceResult result;
  result.outcome = outcome;
  result.message = std::move(message);
  // The library has one kind of error; the guards mark theirs.
  if (outcome == SliceResult::Outcome::kFailed && IsInvalid(result.message)) {
    result.outcome = SliceResult::Outcome::kInvalid;
    result.message.erase(0, kInvalidPrefix.size());
  }
  return result;
}

// Adds the rows of one run that was asked for `asked` iterations per repetition. What it returns is
// kOk, or why the slice ends here.
SliceResult AddRows(const InstanceRuns& rows, std::int64_t asked, bool process_time, Sum* sum) {
  bool any = false;
  for (const Run& run : rows) {
    if (run.run_type != Run::RT_Iteration) continue;
    if (const auto outcome = OutcomeOf(run); outcome != SliceResult::Outcome::kOk) {
      return Failure(outcome, MessageOf(run));
    }
    const std::int64_t done = run.iterations / std::max<std::int64_t>(1, run.threads);
    if (done < asked) {
      return Failure(SliceResult::Outcome::kFailed,
                     "the benchmark ran " + std::to_string(done) + " of " + std::to_string(asked) +
                         " iterations; it must loop over its state to the end or skip");
    }
    Add(run, done, process_time, sum);
    any = true;
  }
  if (any) return {};
  // A family that reports aggregates only: its mean stands for all repetitions.
  for (const Run& run : rows) {
    if (run.aggregate_name == "mean" && run.aggregate_unit == benchmark::kTime) {
      Add(run, asked * std::max<std::int64_t>(1, run.repetitions), process_time, sum);
      return {};
    }
  }
  return Failure(SliceResult::Outcome::kFailed, "the library reported no time");
}

}  // namespace

SliceResult RunSlice(Case& c, std::int64_t iterations) {
  const auto start = std::chrono::steady_clock::now();
  if (!c.unreachable.empty()) return Failure(SliceResult::Outcome::kFailed, c.unreachable);
  Sum sum;
  while (sum.iterations < iterations) {
    const std::int64_t left = iterations - sum.iterations;
    const std::int64_t asked = c.iterations_per_run > 0
                                   ? c.iterations_per_run
                                   : std::max<std::int64_t>(1, left / c.repetitions);
    const CaughtRuns caught = RunQuietly(Select(c, asked));
    if (caught.instances.size() <= c.twin) {
      return Failure(SliceResult::Outcome::kFailed,
                     "the library did not run the case. " + caught.complaint);
    }
    const InstanceRuns& rows = caught.instances[c.twin];
    SliceResult failure = AddRows(rows, asked, c.process_time, &sum);
    if (failure.outcome != SliceResult::Outcome::kOk) return failure;
    // An argument may have looked like Iterations(k) or Repetitions(r).
    if (rows.front().run_name.iterations.empty()) c.iterations_per_run = 0;
    c.repetitions = std::max<std::int64_t>(1, rows.front().repetitions);
  }

  SliceResult result;
  const auto done = static_cast<double>(sum.iterations);
  result.iterations = sum.iterations;
  result.real_s = sum.real_s / done;
  result.cpu_s = sum.cpu_s / done;
  result.total_s = sum.real_s;
  for (const auto& [name, counter] : sum.counters) {
    result.counters[name] = counter.value / counter.weight;
  }
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace perfgate::bench
