// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/waiting.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/run_delay.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::inline base {

Deadline Deadline::in(double seconds) {
  constexpr double kLongest = 365.0 * 86400;
  const double wait = seconds > 0 ? std::min(seconds, kLongest) : 0.0;
  return Deadline(Clock::now() +
                  std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wait)));
}

double Deadline::left_s() const {
  return std::max(0.0, std::chrono::duration<double>(at_ - Clock::now()).count());
}

bool wait_ready(std::span<pollfd> fds, Deadline deadline, OnInterrupt on_interrupt) {
  std::vector<pollfd> all(fds.begin(), fds.end());
  const bool heed = on_interrupt == OnInterrupt::kThrow;
  if (heed) all.push_back({interrupt_fd(), POLLIN, 0});
  for (;;) {
    if (heed) throw_if_interrupted();
    const double left = deadline.left_s();
    timespec limit{};
    limit.tv_sec = static_cast<time_t>(left);
    limit.tv_nsec = static_cast<long>((left - std::floor(left)) * 1e9);
    NoteSleep();
    const int ready = ::ppoll(all.data(), static_cast<nfds_t>(all.size()), &limit, nullptr);
    const int reason = errno;
    NoteWake(ready == 1 && !deadline.passed());
    if (ready < 0 && reason != EINTR) {
      throw Error(Exit::kInternal, "poll() failed: " + SystemReason(reason));
    }
    if (heed) throw_if_interrupted();
    if (ready > 0) {
      for (std::size_t i = 0; i < fds.size(); ++i) fds[i].revents = all[i].revents;
      return true;
    }
    if (deadline.passed()) {
      for (pollfd& fd : fds) fd.revents = 0;
      return false;
    }
  }
}

void sleep_for(double seconds, OnInterrupt on_interrupt) {
  wait_ready({}, Deadline::in(seconds), on_interrupt);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace perfgate::inline base
