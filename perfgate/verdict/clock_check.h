// SPDX-License-Identifier: Apache-2.0
// clock_check.h: a time gap of a GPU case counts where the clock cycles show it too.
//
// A GPU under a power cap lowers its clock, by itself and for minutes. So a GPU case reports the
// SM cycles of a call beside its time (evidence/metrics/gpu_metrics.h), and a regression of the
// time is believed where the same estimator on the cycles of the same rounds also exceeds the
// tolerance. With equal clocks the two agree, also for kernels whose time the memory sets. Another
// time or rate of the case is asked what it would have changed at equal clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {

// Why a gap of a time or rate that reports gpu_cycles in both arms is not believed: "clock: ..."
// with the two changes, the clocks and the reasons for which the clocks were held down. Nothing
// where the cycles of the first `rounds_used` rounds show it too, or there are none. `estimate`:
// the change of the time, -0.03 for 3 % less.
std::optional<std::string> clock_objection(const Session& session, const Column& column,
                                           int rounds_used, bool slower, double estimate);

// Changes the verdict on a time or rate of a case that reports gpu_cycles in both arms: a
// regression that the cycles do not confirm is `inconclusive`, an improvement that they do not
// confirm is `no_regression`, and both give the objection. Different numbers of calls per sample
// are `not_comparable`. Leaves every other verdict alone.
void confirm_in_cycles(const Session& session, const Column& column, ColumnVerdict& verdict);

// A verdict that confirm_in_cycles() withheld. It never passes as bounded noise.
bool is_withheld_by_clock(const ColumnVerdict& verdict);

// What a reader should know of the GPU that a session was measured on: reasons for which the clocks
// of the two arms were held down, where they differ, and processes of others on the device.
std::vector<std::string> gpu_warnings(const Session& session);

// NVML's bit mask in words, "sw_power_cap, hw_thermal_slowdown"; "none" for 0. An idle device has a
// lowered clock too, which is no throttling: that bit has no word.
std::string throttle_words(std::uint64_t mask);

}  // namespace perfgate::inline verdict
