// SPDX-License-Identifier: Apache-2.0
// What both implementations of iteration_control.h share.
#include "perfgate/bench/worker/iteration_control.h"

#include <benchmark/benchmark.h>

#include <array>
#include <iostream>
#include <map>
#include <streambuf>
#include <tuple>

#include "perfgate/bench/worker/library_flags.h"

namespace perfgate::bench {

namespace {

// While it lives, std::cerr is dumb. The library repeats its complaints about BENCHMARK_CONTEXT in
// the environment at every benchmark::Initialize.
class Hush {
 public:
  Hush() : buffer_(std::cerr.rdbuf(nullptr)) {}
  ~Hush() { std::cerr.rdbuf(buffer_); }
  Hush(const Hush&) = delete;
  Hush& operator=(const Hush&) = delete;

 private:
  std::streambuf* buffer_;
};

}  // namespace

void SetLibraryFlag(const std::string& flag) {
  const Hush hush;
  // The library keeps the pointer to argv[0] but not to the flags.
  static std::array<char, 7> program = {"worker"};
  std::string text = flag;
  std::array<char*, 3> argv = {program.data(), text.data(), nullptr};
  int argc = 2;
  benchmark::Initialize(&argc, argv.data());
}

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
