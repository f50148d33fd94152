// SPDX-License-Identifier: Apache-2.0
// recorder_cost: what a Recorder adds to a call beside reading the clock twice, and the memory that
// it holds; run by hand. Prints ratios of one run; with --check it exits 1 where a call costs more
// than 25 ns beside the clock or 10^7 of them more than 64 MiB.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "perfgate/bench/recorder.h"

namespace {

using Clock = std::chrono::steady_clock;

perfgate::bench::Recorder recorder("call");

constexpr int kCalls = 1'000'000;
constexpr int kRepeats = 10;

template <typename Body>
double NanosecondsPerCall(const Body& body) {
  const auto start = Clock::now();
  for (int i = 0; i < kCalls; ++i) body();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / kCalls;
}

long ResidentKib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::stol(line.substr(6));
  }
  return 0;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  const long before = ResidentKib();
  std::vector<double> clock;
  std::vector<double> added;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double alone = NanosecondsPerCall([] {
      const auto start = Clock::now();
      benchmark::DoNotOptimize(Clock::now() - start);
    });
    const double recorded = NanosecondsPerCall([] { const auto call = recorder.Time(); });
    clock.push_back(alone);
    added.push_back(recorded - alone);
  }
  const double mib = static_cast<double>(ResidentKib() - before) / 1024;
  std::printf("two readings of the clock %.1f ns, the recorder beside them %.1f ns: %.2f of them\n",
              Median(clock), Median(added), Median(added) / Median(clock));
  std::printf("%llu calls recorded hold %.1f MiB\n",
              static_cast<unsigned long long>(recorder.Recorded().count()), mib);
  return check && (Median(added) > 25 || mib > 64) ? 1 : 0;
}
