// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/machine/reference_workload.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <thread>

#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/entropy.h"
#include "perfgate/base/os/waiting.h"

namespace perfgate::measure {
namespace {

constexpr int kRuns = 5;
constexpr std::uint64_t kLayoutSeed = 0x9e3779b97f4a7c15ULL;  // the same data on every machine

// Keeps a result alive without writing it anywhere.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

// A chain of dependent multiplications: nothing but the core's clock moves it.
void compute() {
  constexpr int kSteps = 1'000'000;
  std::uint64_t x = kLayoutSeed;
  for (int i = 0; i < kSteps; ++i) x = x * 6364136223846793005ULL + 1442695040888963407ULL;
  keep(x);
}

// One cycle through all slots in random order, so that every step waits for the one before.
std::vector<std::uint32_t> random_cycle(std::size_t slots) {
  std::vector<std::uint32_t> order(slots);
  std::iota(order.begin(), order.end(), 0U);
  RandomStream random(kLayoutSeed);
  random.shuffle(std::span<std::uint32_t>(order));
  std::vector<std::uint32_t> next(slots);
  for (std::size_t i = 0; i < slots; ++i) next[order[i]] = order[(i + 1) % slots];
  return next;
}

// Dependent loads from 256 KiB: beyond the first cache of every core, within the second of most.
void cache() {
  constexpr int kSteps = 400'000;
  static const std::vector<std::uint32_t> next = random_cycle(std::size_t{64} * 1024);
  std::uint32_t at = 0;
  for (int i = 0; i < kSteps; ++i) at = next[at];
  keep(at);
}

// A sum over 32 MiB in order: bandwidth beyond most last-level shares.
void memory() {
  static const std::vector<std::uint64_t> data(std::size_t{4} * 1024 * 1024, 1);
  keep(std::accumulate(data.begin(), data.end(), std::uint64_t{0}));
}

double median_time(void (*work)()) {
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) {
    const Clock::time_point start = Clock::now();
    work();
    times.push_back(seconds_since(start));
  }
  std::nth_element(times.begin(), times.begin() + kRuns / 2, times.end());
  return times[kRuns / 2];
}

}  // namespace

std::vector<std::string> reference_names() { return {"compute", "cache", "memory"}; }

std::vector<double> time_reference(const std::vector<int>& cpus) {
  std::vector<double> times;
  // A thread of its own: pinning it leaves the scheduler where it is.
  std::thread([&] {
    if (!cpus.empty()) set_affinity(0, std::span<const int>(cpus).first(1));
    for (const auto work : {compute, cache, memory}) times.push_back(median_time(work));
  }).join();
  return times;
}

}  // namespace perfgate::measure
