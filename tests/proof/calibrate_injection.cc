// SPDX-License-Identifier: Apache-2.0
// calibrate_injection.cc: how many extra units slow a case by a given share?
//
//   calibrate_injection > STATE/injection.json
//
// For each case of the proof suite: batches of work(n) and work(n + extra) alternate in this
// process; the slowdown is the median over pairs of the time ratio, minus 1. Measured at +100 % and
// +10 % units. Where the two slopes agree within 2 %, cost is proportional to units and the more
// precise slope of +100 % serves; else (sorting: n log n) the local one of +10 % does.
// Then each effect of kEffects is measured with the units that were solved for, as a check.
// Writes JSON; takes about a minute. Exit 1 when a check is off by more than a tenth of the effect
// and more than half a point (what a busy machine does to the measurement itself).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "proof_cases.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kBatchSeconds = 0.4e-3;
constexpr double kEffects[] = {0.03, 0.05, 0.10};
constexpr double kAllowedShare = 0.1;  // of the effect
constexpr double kAllowedDeviation = 0.005;

volatile std::uint64_t sink = 0;

double seconds_of(proof::Work work, int units, int calls) {
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) sink = sink + work(units);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Calls of work(units) that last about a batch; warms the case up on the way.
int calls_per_batch(const proof::Case& which) {
  int calls = 1;
  while (seconds_of(which.work, which.units, calls) < kBatchSeconds) calls *= 2;
  return calls;
}

// Median over pairs of time(units + extra) / time(units), minus 1. The side that goes first
// alternates, and each timed batch follows a short untimed one with the same count, so that caches
// and predictors are in the state that a build with that count would find.
double slowdown(const proof::Case& which, int extra, int calls, int pairs) {
  const auto timed = [&](int units) {
    seconds_of(which.work, units, std::max(1, calls / 4));
    return seconds_of(which.work, units, calls);
  };
  std::vector<double> ratios;
  for (int i = 0; i < pairs; ++i) {
    const bool base_first = i % 2 == 0;
    const double first = timed(which.units + (base_first ? 0 : extra));
    const double second = timed(which.units + (base_first ? extra : 0));
    ratios.push_back(base_first ? second / first : first / second);
  }
  return median(ratios) - 1;
}

int share_of(int units, double share) { return static_cast<int>(std::lround(units * share)); }

// Prints one JSON object; true where every check holds.
bool calibrate(const proof::Case& which) {
  const int calls = calls_per_batch(which);
  const double slope_100 = slowdown(which, which.units, calls, 101);
  const double slope_10 = slowdown(which, share_of(which.units, 0.1), calls, 301) / 0.1;
  const bool linear = std::abs(slope_10 / slope_100 - 1) <= 0.02;
  const double slope = linear ? slope_100 : slope_10;
  std::printf(R"(  {"name": "%s", "units": %d, "slope_100": %.4f, "slope_10": %.4f, )", which.name,
              which.units, slope_100, slope_10);
  std::printf(R"("linear": %s, "effects": [)", linear ? "true" : "false");
  bool holds = true;
  const char* separator = "";
  for (const double effect : kEffects) {
    const int extra = share_of(which.units, effect / slope);
    const double measured = slowdown(which, extra, calls, 201);
    holds =
        holds && std::abs(measured - effect) <= std::max(kAllowedShare * effect, kAllowedDeviation);
    std::printf(R"(%s{"effect": %.2f, "extra": %d, "expected": %.5f, "measured": %.5f})", separator,
                effect, extra, slope * extra / which.units, measured);
    separator = ", ";
  }
  std::printf(R"(], "holds": %s})", holds ? "true" : "false");
  return holds;
}

}  // namespace

int main() {
  bool all_hold = true;
  const char* separator = "";
  std::printf("{\"cases\": [\n");
  for (const proof::Case& which : proof::kCases) {
    std::printf("%s", separator);
    all_hold = calibrate(which) && all_hold;
    separator = ",\n";
    std::fflush(stdout);
  }
  std::printf("\n], \"holds\": %s}\n", all_hold ? "true" : "false");
  return all_hold ? 0 : 1;
}
