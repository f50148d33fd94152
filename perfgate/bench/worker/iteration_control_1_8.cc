// SPDX-License-Identifier: Apache-2.0
// For Google Benchmark 1.8 and later: --benchmark_min_time=<N>x, set again before a slice.
//
// The flag leaves a family's own Iterations(k) and Repetitions(r) in force and does not show in the
// names. The library tells only names before it runs a case, so k and r are read from the name's
// end, and RunSlice() forgets them when the first run shows that the text meant something else.
#include "perfgate/bench/worker/case_name.h"
#include "perfgate/bench/worker/iteration_control.h"
#include "perfgate/bench/worker/library_flags.h"
#include "perfgate/bench/worker/quiet_reporter.h"

namespace perfgate::bench {

std::vector<Case> TakeCases() {
  std::vector<Case> cases;
  for (std::string& name : ListQuietly()) {
    const NameTail tail = ParseNameTail(name);
    Case c;
    c.threads = tail.threads;
    c.clock = Word(tail.clock);
    c.process_time = tail.process_time;
    c.iterations_per_run = tail.iterations;
    c.repetitions = tail.repetitions > 0 ? tail.repetitions : 1;
    c.filter_head = "^" + EscapeRegex(name) + "$";
    c.name = std::move(name);
    cases.push_back(std::move(c));
  }
  NumberTwins(cases);
  SetLibraryFlag("--benchmark_list_tests=false");
  return cases;
}

std::string Select(const Case& c, std::int64_t iterations) {
  SetLibraryFlag("--benchmark_min_time=" + std::to_string(iterations) + "x");
  return c.filter_head;
}

}  // namespace perfgate::bench
