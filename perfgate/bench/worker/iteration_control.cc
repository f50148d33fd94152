// SPDX-License-Identifier: Apache-2.0
// What both implementations of iteration_control.h share.
#include "perfgate/bench/worker/iteration_control.h"

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <tuple>

#include "perfgate/bench/worker/library_flags.h"

namespace perfgate::bench {

void InitializeForWorker(int* argc, char** argv) {
  benchmark::Initialize(argc, argv);
  // One at a time: a flag that this version does not know is left over and harmless.
  for (const char* flag :
       {"--benchmark_dry_run=false", "--benchmark_repetitions=1", "--benchmark_min_warmup_time=0",
        "--benchmark_enable_random_interleaving=false", "--benchmark_report_aggregates_only=false",
        "--benchmark_display_aggregates_only=false", "--benchmark_format=console",
        "--benchmark_out=", "--benchmark_perf_counters=", "--v=0", "--benchmark_list_tests=true"}) {
    SetLibraryFlag(flag);
  }
}

void NumberTwins(std::vector<Case>& cases) {
  std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> seen;
  for (Case& c : cases) c.twin = seen[{c.family, c.filter_head, c.filter_tail}]++;
}

}  // namespace perfgate::bench
