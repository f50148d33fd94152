// SPDX-License-Identifier: Apache-2.0
// quiet_reporter.h: one call of Google Benchmark with its output caught instead of printed.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace perfgate::bench {

// The rows of one benchmark instance, in the order in which the library reported them.
using InstanceRuns = std::vector<benchmark::BenchmarkReporter::Run>;

struct CaughtRuns {
  std::vector<InstanceRuns> instances;
  std::string complaint;  // what the library wrote to its reporter's error stream
};

// Runs every instance whose name matches the regular expression `filter`.
CaughtRuns RunQuietly(const std::string& filter);

// The names of all instances in registration order. Needs the library in list mode
// (--benchmark_list_tests).
std::vector<std::string> ListQuietly();

}  // namespace perfgate::bench
