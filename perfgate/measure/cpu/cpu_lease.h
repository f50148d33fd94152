// SPDX-License-Identifier: Apache-2.0
// cpu_lease.h: cores to measure on: the quietest ones, kept apart from other gates by lock files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::measure {

// Cores that this process may use now (affinity mask, which a cgroup cpuset already narrows).
std::vector<int> allowed_cpus();

struct LeaseOptions {
  double watch_s = 0.2;  // how long the cores' load is watched before choosing
  double wait_s = 600;   // how long to wait while all cores are leased by others
  std::string lock_folder = "/tmp";
  std::function<void(const std::string&)> message;  // told once while waiting; may be empty
};

// Movable; the cores are free again when it goes, or when the process dies.
struct CpuLease {
  std::vector<int> cpus;  // ascending; empty when pinning is not possible
  double busy_share = 0;  // of these cores while watched, others' work, 0..1
  std::vector<std::string> warnings;
  std::vector<UniqueFd> locks;

  bool can_pin() const { return !cpus.empty(); }
};

// Picks `count` cores: those in `requested`, or else the quietest allowed ones that no other gate
// holds, on separate physical cores where it can. One lock file per core,
// <lock_folder>/perfgate-cpu<N>.lock, shared by all users; where it cannot be made the lease goes
// on without and warns. When fewer than `count` cores are allowed the lease has them all and warns.
//
// Error(kUsage): count < 1; a requested core that is not allowed, named twice, or held by another
// gate (named); fewer requested than count. Error(kNotComparable): every core is held by other
// gates for longer than wait_s. Throws Interrupted.
CpuLease lease_cpus(int count, const std::vector<int>& requested, const LeaseOptions& options = {});

// Moves every thread of this process off `cpus`, where others are allowed, and back when it goes.
class SelfAffinity {
 public:
  explicit SelfAffinity(const std::vector<int>& cpus);
  ~SelfAffinity();
  SelfAffinity(const SelfAffinity&) = delete;
  SelfAffinity& operator=(const SelfAffinity&) = delete;

  bool moved() const { return !before_.empty(); }

 private:
  std::vector<int> before_;  // empty: nothing was moved
};

}  // namespace perfgate::measure
