// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/run_delay.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "perfgate/base/io/read_file.h"

namespace perfgate::inline base {
namespace {

struct ThreadState {
  double delay_s = 0;  // for which the thread was ready and had no core
  long sleeps = 0;
  long preemptions = 0;
};

thread_local ThreadState before_sleep;
thread_local double last_wake_s = 0;

// The second number of the file, in nanoseconds.
ThreadState StateNow() {
  ThreadState state;
  unsigned long long ran_ns = 0;
  unsigned long long delay_ns = 0;
  const std::string text = read_small_file("/proc/thread-self/schedstat");
  if (std::sscanf(text.c_str(), "%llu %llu", &ran_ns, &delay_ns) == 2) {
    state.delay_s = 1e-9 * static_cast<double>(delay_ns);
  }
  rusage usage{};
  if (::getrusage(RUSAGE_THREAD, &usage) == 0) {
    state.sleeps = usage.ru_nvcsw;
    state.preemptions = usage.ru_nivcsw;
  }
  return state;
}

}  // namespace

void NoteSleep() { before_sleep = StateNow(); }

void NoteWake(bool is_sure) {
  const ThreadState now = StateNow();
  const bool slept_well =
      now.sleeps > before_sleep.sleeps && now.preemptions == before_sleep.preemptions;
  last_wake_s = is_sure && slept_well ? std::max(0.0, now.delay_s - before_sleep.delay_s) : 0;
}

double DelayOfLastWakeS() { return last_wake_s; }

}  // namespace perfgate::inline base
