// SPDX-License-Identifier: Apache-2.0
// iteration_control.h: makes Google Benchmark run exactly the iterations that it is told to.
//
// One of two implementations is compiled: iteration_control_1_7.cc reaches into the registered
// families, iteration_control_1_8.cc uses --benchmark_min_time=<N>x. Everything else in the worker
// is the same for both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perfgate::bench {

// One case: its canonical name, and how to run it. A case is one instance of a family.
struct Case {
  std::string name;  // as the library lists it untouched; any bytes but zero
  int threads = 1;
  const char* clock = "cpu";  // "cpu", "real" or "manual": what the case asks to be judged by
  bool process_time = false;

  // One run of the case makes iterations_per_run iterations (0: as many as are set) in each of
  // `repetitions` repetitions. A slice's iterations must be a multiple of step().
  std::int64_t iterations_per_run = 0;
  std::int64_t repetitions = 1;
  std::int64_t Step() const {
    return (iterations_per_run > 0 ? iterations_per_run : 1) * repetitions;
  }

  // For Select(). 1.7: the filter is filter_head, the iterations, filter_tail. 1.8: filter_head.
  std::string filter_head;
  std::string filter_tail;
  std::size_t family = 0;   // 1.7: index of the registered family
  std::size_t twin = 0;     // cases with the same filter are told apart by their order
  std::string unreachable;  // if not empty: why the case cannot be run with a set count
};

// Reads the library's own arguments, then fixes every flag that would change what a slice is or
// print something. Afterwards the library is in list mode. Removes what it knows from argv, as
// benchmark::Initialize does.
void InitializeForWorker(int* argc, char** argv);

// All cases, in registration order. Afterwards the library is in run mode for good.
std::vector<Case> TakeCases();

// Makes the next run do `iterations` (>= 1) per repetition of `c` and returns the filter to run: a
// regular expression that selects `c` and its twins only.
std::string Select(const Case& c, std::int64_t iterations);

// Numbers the cases whose filters are equal. For the two implementations.
void NumberTwins(std::vector<Case>& cases);

}  // namespace perfgate::bench
