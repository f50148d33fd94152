// SPDX-License-Identifier: Apache-2.0
// cpu_times.h: what the kernel accounts to each core, from /proc/stat.
#pragma once

#include <map>
#include <string_view>
#include <vector>

namespace perfgate::measure {

// Seconds since boot, in steps of the kernel's accounting tick (usually 0.01 s).
struct CpuTimes {
  double busy = 0;   // user, nice, system, interrupts, guests
  double idle = 0;   // idle and waiting for input
  double steal = 0;  // taken by the hypervisor
  double total() const { return busy + idle + steal; }
};

// By core number; empty where /proc/stat cannot be read.
std::map<int, CpuTimes> cpu_times();
std::map<int, CpuTimes> parse_cpu_times(std::string_view proc_stat, double ticks_per_second);

// Sum over `cpus` of after - before; cores absent from either are left out, and a counter that went
// backwards (it happens under virtualisation) counts 0.
CpuTimes elapsed(const std::map<int, CpuTimes>& before, const std::map<int, CpuTimes>& after,
                 const std::vector<int>& cpus);

// "0-3,7" as in /sys and cgroup files; anything unreadable ends the list.
std::vector<int> parse_cpu_list(std::string_view text);

}  // namespace perfgate::measure
