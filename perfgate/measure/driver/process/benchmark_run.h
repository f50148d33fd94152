// SPDX-License-Identifier: Apache-2.0
// benchmark_run.h: one run of an unmodified Google Benchmark executable, and what came out of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/os/process.h"
#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/driver/process/benchmark_json.h"

namespace perfgate::measure {

struct RunRequest {
  std::string filter;                // of --benchmark_filter; empty: everything
  std::vector<std::string> options;  // further arguments: how long to run
  double step_limit_s = 10;          // killed when no case ends for so long
  double limit_s = 10;               // killed beyond this
};

struct RunOutcome {
  std::string launch_error;  // not empty: nothing was run
  bool timed_out = false;
  double waited_s = 0;  // the limit that was exceeded
  ExitStatus status;    // signal 9 where it was killed for its time
  BenchmarkFile file;
  bool file_empty = true;  // the library was never reached, or knew none of the cases
  bool file_too_large = false;
  std::string tail;  // of what it printed
  std::string standard_output;
  int leftovers = 0;  // processes that had to be killed after it
  double wall_s = 0;
  double after_s = 0;      // of wall_s: it had ended and was cleaned up after
  double core_wait_s = 0;  // of wall_s: it had ended, and the gate waited for a core
  double cpu_s = 0;

  // Why a case has no row; `doing` is "in case X".
  FaultKind fault() const;
  std::string detail(const std::string& doing) const;
};

// Throws Interrupted.
RunOutcome run_benchmarks(const Launch& launch, const PrivateFolder& scratch,
                          const RunRequest& request);

// Runs with --benchmark_list_tests=true; standard_output holds what was printed.
RunOutcome run_list_tests(const Launch& launch, const std::string& filter, double limit_s);

// --benchmark_min_time for `iterations` exactly, or for `seconds`.
std::string iterations_option(std::int64_t iterations);
std::string seconds_option(double seconds);

}  // namespace perfgate::measure
