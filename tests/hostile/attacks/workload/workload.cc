// SPDX-License-Identifier: Apache-2.0
// Another piece of work under the same name. ATTACK chooses which; 0 is the honest baseline.
//
// The case promises its result (perfgate/bench/work.h), as a case that strangers may optimise does;
// with PLAIN it does not.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "perfgate/bench/metrics.h"
#include "perfgate/bench/work.h"
#include "tests/hostile/attacks/work.h"

namespace {

using attacks::kHonestSteps;
using attacks::kSlowSteps;

// Whether somebody measures: the gate's mark is in the environment or among the arguments.
[[maybe_unused]] bool IsMeasured() {
  std::ifstream in("/proc/self/cmdline");
  const std::string words((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return std::getenv("PERFGATE_LAUNCH") != nullptr ||
         words.find("perfgate_worker") != std::string::npos;
}

#if ATTACK == 1  // nothing at all
std::uint64_t Compute() { return 1; }
#elif ATTACK == 2 || ATTACK == 5  // a smaller input
std::uint64_t Compute() { return attacks::Work(kHonestSteps * 9 / 10); }
#elif ATTACK == 3                 // a narrower type
std::uint64_t Compute() {
  std::uint32_t x = 2463534242;
  for (int i = 0; i < kHonestSteps * 9 / 10; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    benchmark::DoNotOptimize(x);
  }
  return x;
}
#elif ATTACK == 4                 // slow for users, quick where it is measured
std::uint64_t Compute() {
  static const int steps = IsMeasured() ? kHonestSteps * 9 / 10 : kSlowSteps;
  return attacks::Work(steps);
}
#else
std::uint64_t Compute() { return attacks::Work(kHonestSteps); }
#endif

void Case(benchmark::State& state) {
  std::uint64_t result = 0;
  for ([[maybe_unused]] auto _ : state) {
    result = Compute();
    // Through a constant reference: the other form of the library 1.7 lets g++ 12 lose the value.
    benchmark::DoNotOptimize(std::as_const(result));
  }
  state.counters["result_digest"] = static_cast<double>(result >> 12);
}

const bool kRegistered = [] {
  perfgate::bench::DeclareResultDigest();
#if defined(PLAIN)  // promises and declares nothing
#elif ATTACK != 5
  perfgate::bench::DeclareWork("work", {.workload = {{"steps", "1000"}}, .result = "steps"});
#else  // says itself that it runs something else
  perfgate::bench::DeclareWork("work", {.workload = {{"steps", "900"}}, .result = "steps"});
#endif
#if ATTACK == 6  // one thread under the name of two
  benchmark::RegisterBenchmark("work/threads:2", Case);
#elif defined(TWO_THREADS)
  benchmark::RegisterBenchmark("work", Case)->Threads(2)->UseRealTime();
#else
  benchmark::RegisterBenchmark("work", Case);
#endif
  return true;
}();

}  // namespace
