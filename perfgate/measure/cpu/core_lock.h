// SPDX-License-Identifier: Apache-2.0
// core_lock.h: one lock file per core, shared by all users of a machine.
#pragma once

#include <string>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::measure {

struct CoreLock {
  enum class State {
    kHeld,         // ours until `lock` is closed
    kBusy,         // another process has it: `holder`
    kUnavailable,  // no lock file can be had: `reason`
  };
  State state = State::kUnavailable;
  UniqueFd lock;
  std::string holder;  // "process 123 of user name", as far as it left its name
  std::string reason;
};

// Tries <folder>/perfgate-cpu<cpu>.lock without waiting. The lock ends with the process that has
// it; the file stays, readable and writable by all. Symbolic links are not followed.
CoreLock try_core_lock(const std::string& folder, int cpu);

}  // namespace perfgate::measure
