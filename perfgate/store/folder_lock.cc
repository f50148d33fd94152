// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "perfgate/error.h"

namespace perfgate::store {

FolderLock::FolderLock(const std::string& folder, double wait_s)
    : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (fd_ < 0) throw Error(Exit::kData, folder + ": cannot be opened: " + std::strerror(errno));
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(wait_s));
  constexpr auto kPoll = std::chrono::milliseconds(20);
  while (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error == EINTR) continue;
    if (error != EWOULDBLOCK || Clock::now() >= end) {
      ::close(fd_);
      throw Error(Exit::kData,
                  folder + ": cannot be locked: " +
                      (error == EWOULDBLOCK ? "another perfgate has been writing there for " +
                                                  std::to_string(static_cast<int>(wait_s)) + " s"
                                            : std::string(std::strerror(error))));
    }
    std::this_thread::sleep_for(kPoll);
  }
}

FolderLock::~FolderLock() { ::close(fd_); }

}  // namespace perfgate::store
