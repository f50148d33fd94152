// SPDX-License-Identifier: Apache-2.0
// A clock that runs at 0.7 of its speed: every library that asks for the time gets this one.
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>

#include "tests/hostile/attacks/work.h"

namespace {

constexpr std::int64_t kNsPerS = 1'000'000'000;

std::int64_t Scaled(std::int64_t ns) { return ns / 10 * 7 + ns % 10 * 7 / 10; }

void Case(benchmark::State& state) { attacks::RunSteps(state, attacks::kSlowSteps); }
BENCHMARK(Case)->Name("work");

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const long done = ::syscall(SYS_clock_gettime, clock, time);
  const std::int64_t ns = Scaled(time->tv_sec * kNsPerS + time->tv_nsec);
  time->tv_sec = ns / kNsPerS;
  time->tv_nsec = ns % kNsPerS;
  return static_cast<int>(done);
}

extern "C" int gettimeofday(timeval* time, void* /*zone*/) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

#ifndef SERVES_PROTOCOL
BENCHMARK_MAIN();
#endif
