// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/cpu/core_lock.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/system_reason.h"
#include "perfgate/base/text/one_line.h"

namespace perfgate::measure {
namespace {

constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

// Opens the file that is there, or makes it. In a sticky folder the kernel may refuse O_CREAT on
// another user's file, so that both are tried apart; a file that may only be read locks as well.
UniqueFd open_lock(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | kFlags));
  if (!fd && errno == ENOENT) {
    constexpr mode_t kAll = 0666;
    fd = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | kFlags, kAll));
    if (fd) {
      ::fchmod(fd.get(), kAll);  // whatever the umask is
    } else if (errno == EEXIST) {
      fd = UniqueFd(::open(path.c_str(), O_RDWR | kFlags));
    }
  }
  if (!fd && (errno == EACCES || errno == EROFS)) {
    fd = UniqueFd(::open(path.c_str(), O_RDONLY | kFlags));
  }
  return fd;
}

std::string own_name() {
  std::string name = "process " + std::to_string(::getpid());
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  return name + " of user " +
         (found != nullptr ? std::string(found->pw_name) : std::to_string(::geteuid()));
}

void leave_name(int fd) {
  const std::string name = own_name() + "\n";
  if (::ftruncate(fd, 0) == 0) {
    const ssize_t written = ::pwrite(fd, name.data(), name.size(), 0);
    static_cast<void>(written);
  }
}

}  // namespace

CoreLock try_core_lock(const std::string& folder, int cpu) {
  CoreLock result;
  const std::string path = folder + "/perfgate-cpu" + std::to_string(cpu) + ".lock";
  result.lock = open_lock(path);
  struct stat status {};
  if (!result.lock || ::fstat(result.lock.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    result.reason =
        path + ": " + (result.lock ? std::string("not a regular file") : SystemReason(errno));
    result.lock.reset();
    return result;
  }
  if (::flock(result.lock.get(), LOCK_EX | LOCK_NB) == 0) {
    result.state = CoreLock::State::kHeld;
    leave_name(result.lock.get());
  } else if (errno == EWOULDBLOCK) {
    result.state = CoreLock::State::kBusy;
    constexpr std::size_t kNameBytes = 200;
    result.holder = one_line_tail(read_small_file(path), kNameBytes);
    if (result.holder.empty()) result.holder = "another process";
    result.lock.reset();
  } else {
    result.reason = path + ": " + SystemReason(errno);
    result.lock.reset();
  }
  return result;
}

}  // namespace perfgate::measure
