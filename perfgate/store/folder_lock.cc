// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "perfgate/base/error.h"

namespace perfgate::store {

FolderLock::FolderLock(const std::string& folder, Opened)
    : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!fd_) throw Error(Exit::kData, folder + ": cannot be opened: " + std::strerror(errno));
}

FolderLock::FolderLock(const std::string& folder, double wait_s) : FolderLock(folder, Opened{}) {
  if (lock_within(folder, wait_s)) return;
  throw Error(Exit::kData, folder +
                               ": cannot be locked: another perfgate has been writing there for " +
                               std::to_string(static_cast<int>(wait_s)) + " s");
}

std::unique_ptr<FolderLock> FolderLock::wait_for(const std::string& folder, double wait_s) {
  std::unique_ptr<FolderLock> lock(new FolderLock(folder, Opened{}));
  return lock->lock_within(folder, wait_s) ? std::move(lock) : nullptr;
}

bool FolderLock::lock_within(const std::string& folder, double wait_s) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(wait_s));
  constexpr auto kPoll = std::chrono::milliseconds(20);
  while (::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) {
      throw Error(Exit::kData, folder + ": cannot be locked: " + std::strerror(errno));
    }
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

}  // namespace perfgate::store
