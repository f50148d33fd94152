// SPDX-License-Identifier: Apache-2.0
// machine.h: the machine a session ran on, and what it was doing during each round.
#pragma once

#include <string>
#include <vector>

namespace perfgate::inline evidence {

// A GPU as its driver describes it. Strings are empty and numbers 0 where it does not say.
struct Gpu {
  std::string model;   // "NVIDIA H100 80GB HBM3"
  std::string driver;  // version of the kernel driver
  std::string cuda;    // newest CUDA version that the driver supports, "13.0"
  std::string mig;     // "on", "off" or empty
  double memory_gib = 0;
  double power_limit_w = 0;
  int sm_clock_max_mhz = 0;
  int memory_clock_max_mhz = 0;
  bool persistence = false;  // the driver stays loaded between processes

  bool operator==(const Gpu&) const = default;
};

// Recorded once a session. Strings are empty and numbers 0 where the system does not say.
struct Machine {
  std::string cpu_model;
  std::string isa;     // "avx512", "avx2", "sse2", "neon", ...
  std::string kernel;  // uname -sr
  std::string hostname;
  std::string governor;        // cpufreq governor of the first core
  std::string boost;           // "on", "off" or empty
  std::string virtualization;  // hypervisor or container as far as visible
  int logical_cpus = 0;
  int physical_cores = 0;
  int sockets = 0;
  std::vector<int> allowed_cpus;
  double memory_gib = 0;
  double cpu_limit = 0;         // of the container, in processors; 0: none
  double memory_limit_gib = 0;  // of the container; 0: none
  std::vector<Gpu> gpus;
};

// Deltas over one round unless noted. Negative: not available.
struct RoundConditions {
  double steal_share = -1;         // of the pinned cores' time taken by the hypervisor
  double foreign_share = -1;       // of the pinned cores' time used by other processes
  double load = -1;                // 1-minute load average at the end of the round
  double mhz = -1;                 // current frequency of the first pinned core
  long voluntary_switches = -1;    // of all arms
  long involuntary_switches = -1;  // of all arms: how often they were pushed off their core
};

}  // namespace perfgate::inline evidence
