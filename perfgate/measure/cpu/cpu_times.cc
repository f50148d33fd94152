// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/cpu/cpu_times.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/text/one_line.h"

namespace perfgate::measure {

std::map<int, CpuTimes> parse_cpu_times(std::string_view proc_stat, double ticks_per_second) {
  std::map<int, CpuTimes> times;
  std::istringstream lines{std::string(proc_stat)};
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("cpu", 0) != 0) continue;
    std::istringstream fields(line.substr(3));
    int cpu = -1;
    // user nice system idle iowait irq softirq steal; guest times are part of user and nice. The
    // first line is the sum over all cores and starts with a blank.
    std::array<double, 8> ticks{};
    if (line.size() < 4 || line[3] == ' ' || !(fields >> cpu) || cpu < 0) continue;
    for (double& value : ticks) {
      if (!(fields >> value)) break;
    }
    CpuTimes& entry = times[cpu];
    entry.busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / ticks_per_second;
    entry.idle = (ticks[3] + ticks[4]) / ticks_per_second;
    entry.steal = ticks[7] / ticks_per_second;
  }
  return times;
}

std::map<int, CpuTimes> cpu_times() {
  const long ticks = ::sysconf(_SC_CLK_TCK);
  return parse_cpu_times(read_small_file("/proc/stat"),
                         ticks > 0 ? static_cast<double>(ticks) : 100.0);
}

CpuTimes elapsed(const std::map<int, CpuTimes>& before, const std::map<int, CpuTimes>& after,
                 const std::vector<int>& cpus) {
  CpuTimes sum;
  for (const int cpu : cpus) {
    const auto first = before.find(cpu);
    const auto last = after.find(cpu);
    if (first == before.end() || last == after.end()) continue;
    sum.busy += std::max(0.0, last->second.busy - first->second.busy);
    sum.idle += std::max(0.0, last->second.idle - first->second.idle);
    sum.steal += std::max(0.0, last->second.steal - first->second.steal);
  }
  return sum;
}

std::vector<int> parse_cpu_list(std::string_view text) {
  constexpr int kMostCpus = 1 << 16;
  std::vector<int> cpus;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](int* value) {
    const auto [next, error] = std::from_chars(at, end, *value);
    if (error != std::errc() || *value < 0 || *value >= kMostCpus) return false;
    at = next;
    return true;
  };
  for (;;) {
    int first = 0, last = 0;
    if (!number(&first)) break;
    last = first;
    if (at != end && *at == '-') {
      ++at;
      if (!number(&last)) break;
    }
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    if (at == end || *at != ',') break;
    ++at;
  }
  return cpus;
}

}  // namespace perfgate::measure
