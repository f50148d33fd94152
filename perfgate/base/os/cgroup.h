// SPDX-License-Identifier: Apache-2.0
// cgroup.h: a group of processes that the kernel limits, counts and ends as one (cgroup v2).
//
// A process joins a group when it starts and cannot leave it, whatever session, environment or PID
// namespace it makes. Groups exist where the system lets this process make them: for root outside
// of containers, and for anybody in a unit with delegation (systemd-run --user --scope -p
// Delegate=yes).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perfgate::inline base {

// Where this process may make groups.
struct CgroupParent {
  std::string folder{};           // empty: nowhere
  bool limits_memory = false;     // of a group below it
  bool limits_processes = false;  // likewise
  std::string why_not{};          // there are no groups, or no limits; empty: there are both
};

// Tries it with an empty group. Where the group of this process has to be empty before groups below
// can be limited, and nothing but this process is in it, the process moves one level down.
CgroupParent FindCgroupParent();

// The same for the group in this folder, which holds the processes `cgroup.procs` names.
CgroupParent CgroupParentAt(const std::string& folder);

struct CgroupLimits {
  std::uint64_t memory_bytes = 0;  // without swap; 0: no limit
  std::uint64_t processes = 0;     // threads count; 0: no limit
};

class Cgroup {
 public:
  // Limits that the parent cannot set are left out. Error(kData) where the group cannot be made.
  Cgroup(const CgroupParent& parent, const CgroupLimits& limits);
  ~Cgroup();  // ends what is in it and removes it
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;

  // A process that writes 0 into this file joins.
  const std::string& members_file() const { return members_file_; }

  // Its processes, without zombies.
  std::vector<int> Members() const;

  // Stops all of them, whatever they do, and lets them go on. IsFrozen(): all have stopped; some
  // 50 us after Freeze().
  void Freeze() const;
  void Thaw() const;
  bool IsFrozen() const;

  // SIGKILL to all of them at once. Never throws.
  void Kill() const;

  // CPU seconds of all that were ever in it, in microseconds resolution; negative: not known.
  double CpuSeconds() const;

  // Whether the kernel ended one of them because the group had no memory left.
  bool RanOutOfMemory() const;

 private:
  std::string folder_;
  std::string members_file_;
};

}  // namespace perfgate::inline base
