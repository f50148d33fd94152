// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/usage.h"

#include <sys/time.h>

#include <algorithm>
#include <ctime>

namespace perfgate::inline base {
namespace {

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

double CpuSecondsOf(int pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double CpuSeconds(const rusage& usage) {
  return SecondsOf(usage.ru_utime) + SecondsOf(usage.ru_stime);
}

bool PeakReached(std::uint64_t limit_bytes, const rusage& usage) {
  constexpr double kNear = 0.8;
  constexpr double kKibibyte = 1024;
  return limit_bytes > 0 && static_cast<double>(usage.ru_maxrss) * kKibibyte >
                                kNear * static_cast<double>(limit_bytes);
}

void AddUsage(const rusage& more, rusage& sum) {
  timeradd(&sum.ru_utime, &more.ru_utime, &sum.ru_utime);
  timeradd(&sum.ru_stime, &more.ru_stime, &sum.ru_stime);
  sum.ru_maxrss = std::max(sum.ru_maxrss, more.ru_maxrss);
  sum.ru_nvcsw += more.ru_nvcsw;
  sum.ru_nivcsw += more.ru_nivcsw;
}

}  // namespace perfgate::inline base
