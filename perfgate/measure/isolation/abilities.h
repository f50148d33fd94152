// SPDX-License-Identifier: Apache-2.0
// abilities.h: which means of isolation this machine has and lets work.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/os/cgroup.h"

namespace perfgate::measure {

struct Abilities {
  // bubblewrap with new PID, mount, IPC, network and UTS namespaces; empty: there is none, or the
  // system refuses it.
  std::string bubblewrap;
  bool new_user = false;  // it needs a user namespace, as of root without CAP_SYS_ADMIN
  bool proc = false;      // a /proc of the sandbox's own can be mounted
  bool seccomp = false;   // system calls can be refused
  // setpriv, which starts a process as another user; empty: there is none, or we are not root.
  std::string setpriv;
  // Where arms get groups of their own, by which they are ended and, where the system delegates it,
  // limited. Isolation is full without them: they keep an arm from exhausting the machine.
  CgroupParent groups{};
  // What full isolation lacks here, each with the reason and what to do; none: it works.
  std::vector<std::string> lacking;

  bool full() const { return lacking.empty(); }
};

}  // namespace perfgate::measure
