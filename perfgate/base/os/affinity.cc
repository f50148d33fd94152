// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/affinity.h"

#include <sched.h>

#include <filesystem>
#include <set>
#include <string>
#include <system_error>

namespace perfgate::inline base {
namespace {

constexpr std::size_t kSets = 8;  // 8192 cores
constexpr std::size_t kBytes = kSets * sizeof(cpu_set_t);
constexpr int kMostCpus = static_cast<int>(kSets) * CPU_SETSIZE;
constexpr int kMostPasses = 10;

}  // namespace

std::vector<int> current_affinity() {
  std::vector<cpu_set_t> set(kSets);
  std::vector<int> cpus;
  if (::sched_getaffinity(0, kBytes, set.data()) != 0) return cpus;
  for (int cpu = 0; cpu < kMostCpus; ++cpu) {
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), kBytes, set.data())) cpus.push_back(cpu);
  }
  return cpus;
}

bool set_affinity(int tid, std::span<const int> cpus) {
  std::vector<cpu_set_t> set(kSets);
  for (const int cpu : cpus) {
    if (cpu >= 0 && cpu < kMostCpus) {
      CPU_SET_S(static_cast<std::size_t>(cpu), kBytes, set.data());
    }
  }
  return ::sched_setaffinity(tid, kBytes, set.data()) == 0;
}

bool set_affinity_of_process(int pid, std::span<const int> cpus) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/task";
  std::set<int> seen;
  bool done = false;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool found_new = false;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
      const int tid = std::atoi(it->path().filename().c_str());
      if (!seen.insert(tid).second) continue;
      found_new = true;
      done = set_affinity(tid, cpus) || done;
    }
    if (!found_new) break;
  }
  return done;
}

}  // namespace perfgate::inline base
