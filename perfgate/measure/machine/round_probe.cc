// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/machine/round_probe.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/affinity.h"
#include "perfgate/base/text/one_line.h"
#include "perfgate/measure/machine/machine_probe.h"

namespace perfgate::measure {

RoundProbe::RoundProbe(std::vector<int> cpus)
    : cpus_(cpus.empty() ? current_affinity() : std::move(cpus)), before_(cpu_times()) {}

RoundConditions RoundProbe::finish(double own_cpu_s) const {
  RoundConditions conditions;
  const CpuTimes spent = elapsed(before_, cpu_times(), cpus_);
  if (spent.total() > 0) {
    conditions.steal_share = spent.steal / spent.total();
    // Accounting ticks are coarse: what rounding makes negative is nothing.
    conditions.foreign_share =
        std::clamp((spent.busy - std::max(0.0, own_cpu_s)) / spent.total(), 0.0, 1.0);
  }
  double load = -1;
  if (::getloadavg(&load, 1) == 1) conditions.load = load;
  if (!cpus_.empty()) conditions.mhz = cpu_mhz(cpus_.front());
  return conditions;
}

double cpu_mhz(int cpu) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/";
  const double khz = std::atof(read_small_file(folder + "scaling_cur_freq").c_str());
  if (khz > 0) return khz / 1000;
  // One paragraph per core.
  const std::string text = read_small_file("/proc/cpuinfo");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    const std::string_view core = std::string_view(text).substr(at, end - at);
    if (cpuinfo_field(core, "processor") == std::to_string(cpu)) {
      const double mhz = std::atof(std::string(cpuinfo_field(core, "cpu MHz")).c_str());
      return mhz > 0 ? mhz : -1;
    }
    at = end + 2;
  }
  return -1;
}

}  // namespace perfgate::measure
