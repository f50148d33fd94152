// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/search_time.h"

#include <algorithm>
#include <cmath>
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

// Earlier iterations for each that is reported, where one takes so many seconds.
double SearchShare(double iteration_s, double least_s) {
  constexpr double kAim = 1.4;
  constexpr double kEnough = 1e9;  // iterations that the library makes at most
  double iterations = 1;
  double earlier = 0;
  while (iteration_s * iterations < least_s && iterations < kEnough) {
    earlier += iterations;
    const double took_s = iteration_s * iterations;
    double factor = kAim * least_s / std::max(took_s, 1e-9);
    if (took_s / least_s <= 0.1) factor = std::min(10.0, factor);
    iterations = std::max(iterations + 1, std::round(factor * iterations));
  }
  return earlier / iterations;
}

// The same, where a clock on a busy machine is off by a fifth.
double MostSearchShare(double iteration_s, double least_s) {
  double most = 0;
  for (const double factor : {0.8, 0.9, 1.0, 1.1, 1.25}) {
    most = std::max(most, SearchShare(factor * iteration_s, least_s));
  }
  return most;
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

double SearchS(const BenchmarkRow& row, const std::string& library, double least_s) {
  if (row.iterations <= 0) return 0;
  const std::int64_t of_thread = std::max<std::int64_t>(1, row.iterations / row.threads);
  const double share =
      static_cast<double>(SearchIterations(of_thread)) / static_cast<double>(of_thread);
  return std::min(share, MostSearchShare(row.real_s, least_s)) * row.real_s *
         IterationsOfRow(row, library);
}

bool IsTooShort(const BenchmarkRow& row, const std::string& library, double least_s) {
  constexpr double kShort = 0.5;
  constexpr double kMostIterations = 1e9;
  const double iterations = IterationsOfRow(row, library);
  // The library goes by CPU time, or by real time where the case asks for it.
  const double longer_s = std::max(row.real_s, row.cpu_s) * iterations;
  return longer_s < kShort * least_s && iterations < kMostIterations;
}

}  // namespace perfgate::measure
