// SPDX-License-Identifier: Apache-2.0
// folder_lock.h: one writer at a time in a folder, on one machine.
#pragma once

#include <memory>
#include <string>

namespace perfgate::store {

// Locks the folder itself, so that no lock file is left in it. Ends with the object or the process.
class FolderLock {
 public:
  // Waits up to wait_s seconds, then throws Error(kData) saying what holds it up.
  explicit FolderLock(const std::string& folder, double wait_s = 60);
  // Null where another still holds it.
  static std::unique_ptr<FolderLock> wait_for(const std::string& folder, double wait_s);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  struct Opened {};
  FolderLock(const std::string& folder, Opened);
  bool lock_within(const std::string& folder, double wait_s) const;

  int fd_;
};

}  // namespace perfgate::store
