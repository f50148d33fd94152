// SPDX-License-Identifier: Apache-2.0
// A sum whose inputs are fresh before every call and held against an oracle; without a guard where
// PLAIN. CONSTANT: what was right for the first input is given for every other.
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "perfgate/bench/host_case.h"

namespace {

using namespace perfgate::bench;

struct Data {
  std::vector<std::uint32_t> x = std::vector<std::uint32_t>(20000, 1);
  std::uint64_t sum = 0;

  std::uint64_t Sum() const { return std::accumulate(x.begin(), x.end(), std::uint64_t{0}); }
  Buffers Described() {
    Buffers buffers;
    buffers.rotations.push_back({{{x.data(), x.size() * sizeof x[0], Content::kBytes, 0}},
                                 {{&sum, sizeof sum, Content::kKeep, 0}}});
    buffers.check = [this](int) { return sum == Sum() ? "" : "the sum"; };
    return buffers;
  }
  void Compute() {
#if defined(CONSTANT)
    static const std::uint64_t known = Sum();
    sum = known;
#else
    sum = Sum();
#endif
    benchmark::ClobberMemory();
  }
};

void Case(benchmark::State& state) {
  static Data data;
#if defined(PLAIN)
  for ([[maybe_unused]] auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    data.Compute();
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
#else
  static HostMeter meter;
  HostCase guarded(meter, state, "work");
  guarded.Run(data.Described(), [](int) { data.Compute(); });
#endif
}
BENCHMARK(Case)->Name("work")->UseManualTime();

}  // namespace
