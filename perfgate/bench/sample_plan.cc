// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/sample_plan.h"

#include <algorithm>
#include <cmath>

namespace perfgate::bench {
namespace {

constexpr double kColdFactor = 5;
constexpr double kGraphS = 200e-6;
constexpr double kLaunchS = 2e-6;  // of a node whose work is nothing
constexpr int kMostCalls = 64;

double Over(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

bool HasWord(std::string_view name, std::string_view word) {
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    if (name.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

double PredictedSeconds(const CallWork& work, const Peaks& peaks) {
  return std::max(Over(work.bytes, peaks.memory_bytes_per_s), Over(work.flops, peaks.flops_per_s));
}

int CallsPerSample(const CallWork& work, const Peaks& peaks) {
  const double predicted = PredictedSeconds(work, peaks);
  if (predicted >= kOneCallS) return 1;
  return std::clamp(static_cast<int>(std::ceil(kGraphS / (predicted + kLaunchS))), 2, kMostCalls);
}

int RotationsFor(Cache cache, double bytes_of_one_set, const Peaks& peaks) {
  if (cache == Cache::kHot) return 1;
  constexpr int kMost = 1 << 20;
  if (bytes_of_one_set <= 0) return kMost;
  const double sets = std::ceil(kColdFactor * peaks.cache_bytes / bytes_of_one_set);
  const int calls = CallsPerSample({.bytes = bytes_of_one_set}, peaks);
  return std::max({2, calls, static_cast<int>(std::min<double>(sets, kMost))});
}

std::string ColdnessError(Cache cache, int rotations, int calls_per_sample) {
  if (cache == Cache::kHot) {
    return rotations == 1
               ? ""
               : "a hot case works on one set of buffers; it has " + std::to_string(rotations);
  }
  if (rotations >= calls_per_sample) return "";
  return "a cold case needs " + std::to_string(calls_per_sample) +
         " sets of buffers, one per call of a sample; it has " + std::to_string(rotations);
}

double FloorSeconds(const CallWork& work, Cache cache, const Peaks& peaks) {
  const double compute = Over(work.flops, peaks.flops_per_s);
  if (cache == Cache::kHot) return std::max(compute, Over(work.bytes, peaks.cache_bytes_per_s));
  const double from_memory =
      std::max(work.bytes - work.bytes_written, work.bytes - peaks.cache_bytes);
  return std::max(compute, Over(std::max(0.0, from_memory), peaks.memory_bytes_per_s));
}

std::string CacheNameError(std::string_view name, Cache cache) {
  const bool cold = HasWord(name, "cache:cold");
  const bool hot = HasWord(name, "cache:hot");
  if (cold != hot && cold == (cache == Cache::kCold)) return "";
  return "the name \"" + std::string(name) +
         "\" must say cache:" + (cache == Cache::kCold ? "cold" : "hot") +
         ", as the case is: what is hot and what is cold must not be compared by accident";
}

}  // namespace perfgate::bench
