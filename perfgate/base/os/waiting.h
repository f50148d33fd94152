// SPDX-License-Identifier: Apache-2.0
// waiting.h: every wait of this library has a deadline and ends when the user interrupts.
#pragma once

#include <poll.h>

#include <chrono>
#include <span>

namespace perfgate::inline base {

using Clock = std::chrono::steady_clock;

class Deadline {
 public:
  // Seconds from now; negative or NaN is now, and a year stands for everything longer.
  static Deadline in(double seconds);
  bool passed() const { return Clock::now() >= at_; }
  double left_s() const;  // never negative
  Clock::time_point at() const { return at_; }

 private:
  explicit Deadline(Clock::time_point at) : at_(at) {}
  Clock::time_point at_;
};

enum class OnInterrupt { kThrow, kIgnore };

// poll() that survives EINTR: true when a descriptor is ready, false at the deadline. Entries with
// a negative fd are skipped. Throws Interrupted unless told to ignore it (cleaning up).
bool wait_ready(std::span<pollfd> fds, Deadline deadline,
                OnInterrupt on_interrupt = OnInterrupt::kThrow);

// Sleeps; throws Interrupted early.
void sleep_for(double seconds, OnInterrupt on_interrupt = OnInterrupt::kThrow);

double seconds_since(Clock::time_point start);

}  // namespace perfgate::inline base
