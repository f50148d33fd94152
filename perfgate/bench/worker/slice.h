// SPDX-License-Identifier: Apache-2.0
// slice.h: one timed repetition of one case with an exact number of iterations.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "perfgate/bench/worker/iteration_control.h"

namespace perfgate::bench {

// Times are per iteration of one thread, whatever the library's version: before 1.9 it divided the
// time of a multi-threaded case by the number of threads once more.
struct SliceResult {
  // kInvalid: the case stopped itself because its numbers cannot be trusted.
  enum class Outcome { kOk, kFailed, kSkipped, kInvalid };
  Outcome outcome = Outcome::kOk;
  std::string message;          // why it failed or was skipped
  std::int64_t iterations = 0;  // by each thread; more than asked where KeepRunningBatch rounds up
  double real_s = 0;   // seconds per iteration: manual time where declared, else wall clock
  double cpu_s = 0;    // CPU seconds per iteration
  double total_s = 0;  // seconds timed by each thread: real_s * iterations
  double wall_s = 0;   // seconds of the whole call, set-up included
  std::map<std::string, double> counters;
};

// Runs `iterations` (a positive multiple of c.Step()) of `c`, in several runs where the family
// fixes its own count; times are then sums over the runs, and counters averages (rates weighted by
// time, others by iterations). Corrects c where a run shows that its name was misread.
SliceResult RunSlice(Case& c, std::int64_t iterations);

}  // namespace perfgate::bench
