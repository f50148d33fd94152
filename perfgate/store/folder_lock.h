// SPDX-License-Identifier: Apache-2.0
// folder_lock.h: one writer at a time in a folder, on one machine.
#pragma once

#include <memory>
#include <string>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::store {

// Locks the folder itself, so that no lock file is left in it. Ends with the object or the process.
class FolderLock {
 public:
  // Waits up to wait_s seconds, then throws Error(kData) saying what holds it up.
  explicit FolderLock(const std::string& folder, double wait_s = 60);
  // Null where another still holds it.
  static std::unique_ptr<FolderLock> wait_for(const std::string& folder, double wait_s);

 private:
  struct Opened {};
  FolderLock(const std::string& folder, Opened);
  bool lock_within(const std::string& folder, double wait_s) const;

  UniqueFd fd_;
};

}  // namespace perfgate::store
