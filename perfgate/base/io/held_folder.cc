// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/held_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace perfgate::inline base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomCharacters = 6;  // of mkdtemp

// Locked, or without a descriptor: in use, not a folder of this user, or gone.
UniqueFd Hold(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  // The mode is mkdtemp's, or lets others pass through: a folder that somebody made by hand under
  // such a name hardly has it.
  const bool ours = fd && ::fstat(fd.get(), &status) == 0 && status.st_uid == ::geteuid() &&
                    (status.st_mode & 0766U) == 0700U;
  // Asked again with the lock: whoever had it may have removed the folder.
  const bool taken = ours && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 &&
                     ::fstat(fd.get(), &status) == 0 && status.st_nlink > 0;
  return taken ? std::move(fd) : UniqueFd();
}

}  // namespace

HeldFolder MakeHeldFolder(const std::string& base, std::string_view prefix) {
  // A process that starts at the same moment may take a folder that is not locked yet for an
  // abandoned one: try again.
  constexpr int kTries = 5;
  for (int i = 0; i < kTries; ++i) {
    std::string path = (fs::path(base) / (std::string(prefix) + "XXXXXX")).string();
    if (::mkdtemp(path.data()) == nullptr) return {};
    if (UniqueFd lock = Hold(path)) return {std::move(path), std::move(lock)};
  }
  errno = EAGAIN;
  return {};
}

void RemoveAbandoned(const std::string& base, std::string_view prefix) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(base, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kRandomCharacters) continue;
    std::error_code ignored;
    if (const UniqueFd lock = Hold(entry->path().string())) fs::remove_all(entry->path(), ignored);
  }
}

}  // namespace perfgate::inline base
