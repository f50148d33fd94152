// SPDX-License-Identifier: Apache-2.0
// sample_plan.h: how many calls one timed sample makes, which buffers they use, and how fast
// physics lets them be. Decided from what the case declares, never from a measured time, so that
// two arms of a comparison decide alike.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfgate::bench {

// Where a call finds its inputs: in memory, or where the call before left them.
enum class Cache { kCold, kHot };

// What one call must do at the least, by the arithmetic of the operation.
struct CallWork {
  double bytes = 0;          // read and written, each once
  double bytes_written = 0;  // of these
  double flops = 0;
};

// Upper limits of the device. 0: not known, which bounds nothing.
struct Peaks {
  double memory_bytes_per_s = 0;
  double cache_bytes_per_s = 0;
  double flops_per_s = 0;
  double cache_bytes = 0;  // last-level cache
};

// A call that physics alone keeps this long is its own sample; shorter ones are batched in a graph.
// On an H100 events around an empty kernel are 3.1 us apart and a node of a graph takes 1.0: what a
// sample of one call adds is then at most 2 % of it.
inline constexpr double kOneCallS = 100e-6;

// 1, or the calls of one graph: about 200 us of predicted work, at most 64.
int CallsPerSample(const CallWork& work, const Peaks& peaks);

// The predicted time behind that decision.
double PredictedSeconds(const CallWork& work, const Peaks& peaks);

// Sets of buffers for a cold case: as many as a sample of calls that move `bytes_of_one_set` has
// calls, and five times the last-level cache together, so that coldness does not hang on the
// emptying of the cache alone; at least 2. 1 when hot.
int RotationsFor(Cache cache, double bytes_of_one_set, const Peaks& peaks);

// Empty where the buffers make the case cold, else what is missing. The cache is emptied before
// every sample, so within one no set may be used twice. Sets larger than the cache together would
// not do instead: lines that a kernel loads with L2::evict_last outlive others of several caches.
std::string ColdnessError(Cache cache, int rotations, int calls_per_sample);

// No call can take less. A cold call reads from memory; what it writes may stay in the cache as far
// as that is large enough.
double FloorSeconds(const CallWork& work, Cache cache, const Peaks& peaks);

// Empty where `name` says cache:cold or cache:hot as `cache` does, else what to change.
std::string CacheNameError(std::string_view name, Cache cache);

}  // namespace perfgate::bench
