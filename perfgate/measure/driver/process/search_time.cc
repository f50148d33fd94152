// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/search_time.h"

#include <algorithm>
#include <cstdio>

namespace perfgate::measure {
namespace {

// Whether the times of a threaded case are those of one thread's iterations.
bool SaysTimePerThread(const std::string& library) {
  int major = 0;
  int minor = 0;
  const char* text = library.c_str() + (library.starts_with("v") ? 1 : 0);
  if (std::sscanf(text, "%d.%d", &major, &minor) != 2) return false;
  return major > 1 || minor >= 9;
}

}  // namespace

std::int64_t SearchIterations(std::int64_t iterations) {
  constexpr double kAim = 1.4;  // by which the library overshoots
  if (iterations <= 1) return 0;
  std::int64_t earlier = 0;
  for (std::int64_t run = 1; run < iterations; run *= 10) {
    const bool is_reported = run * 10 == iterations;
    earlier += run;
    if (is_reported) return earlier;
    // The run that was long enough to foresee the last one.
    if (static_cast<double>(iterations) < 10 * kAim * static_cast<double>(run)) return earlier;
    if (run > iterations / 10) break;
  }
  return earlier;
}

double IterationsOfRow(const BenchmarkRow& row, const std::string& library) {
  const auto iterations = static_cast<double>(row.iterations);
  return SaysTimePerThread(library) ? iterations / std::max(1, row.threads) : iterations;
}

double SearchS(const BenchmarkRow& row, const std::string& library) {
  if (row.iterations <= 0) return 0;
  const std::int64_t of_thread = std::max<std::int64_t>(1, row.iterations / row.threads);
  const double share =
      static_cast<double>(SearchIterations(of_thread)) / static_cast<double>(of_thread);
  return share * row.real_s * IterationsOfRow(row, library);
}

}  // namespace perfgate::measure
