// SPDX-License-Identifier: Apache-2.0
// slice_clock.h: how long a slice took by the gate's own clock.
//
// No arm can touch this clock: it runs in the gate's process. On a busy machine the gate waits for
// a core after the arm has answered and woken it. That time is known apart.
#pragma once

#include <algorithm>

#include "perfgate/base/os/run_delay.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/measure/driver/driver.h"

namespace perfgate::measure {

class SliceClock {
 public:
  double wall_s() const { return seconds_since(start_); }
  // Of wall_s(): the gate had been woken and waited for a core.
  double waited_s() const { return std::min(DelayOfLastWakeS(), wall_s()); }

  // Enters both into the result.
  void Stop(SliceResult& result) const {
    result.wall_s = wall_s();
    EnterWait(waited_s(), result);
  }

  // The kernel may count a wait that began before the arm's answer. One that would leave less wall
  // than the arm's report alone is such a wait, and is left out.
  static void EnterWait(double waited_s, SliceResult& result) {
    const double reported_s = result.total_s + result.search_s;
    const bool fits = result.wall_s - result.waited_s - waited_s >= reported_s;
    if (fits) result.waited_s += waited_s;
  }

 private:
  Clock::time_point start_ = Clock::now();
};

}  // namespace perfgate::measure
