// SPDX-License-Identifier: Apache-2.0
// round_probe.h: what the pinned cores were doing during one round.
#pragma once

#include <map>
#include <vector>

#include "perfgate/evidence/machine.h"
#include "perfgate/measure/cpu/cpu_times.h"

namespace perfgate::measure {

class RoundProbe {
 public:
  // `cpus`: the cores the arms are pinned to; with none, all allowed cores are watched.
  explicit RoundProbe(std::vector<int> cpus);

  // `own_cpu_s`: CPU seconds that all arms used since the start (and perfgate itself, where it
  // shares these cores). Switch counts stay -1: the arms' departures have them.
  RoundConditions finish(double own_cpu_s) const;

 private:
  std::vector<int> cpus_;
  std::map<int, CpuTimes> before_;
};

// Current frequency of a core in MHz, from cpufreq or else /proc/cpuinfo; negative: not known.
double cpu_mhz(int cpu);

}  // namespace perfgate::measure
