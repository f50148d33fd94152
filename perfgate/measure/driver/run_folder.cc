// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "perfgate-run-";
constexpr std::size_t kNameLength = kPrefix.size() + 6;  // what mkdtemp puts behind it

// Locked, or without a descriptor: in use, not a folder of this user, or gone.
UniqueFd locked(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  // The mode is mkdtemp's: a folder that somebody made by hand under such a name hardly has it.
  const bool ours = fd && ::fstat(fd.get(), &status) == 0 && status.st_uid == ::geteuid() &&
                    (status.st_mode & 0777U) == 0700U;
  // Asked again with the lock: whoever had it may have removed the folder.
  const bool taken = ours && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 &&
                     ::fstat(fd.get(), &status) == 0 && status.st_nlink > 0;
  return taken ? std::move(fd) : UniqueFd();
}

// Folders of runs that were killed.
void remove_abandoned(const fs::path& base) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(base, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path path = entry->path();
    const std::string name = path.filename().string();
    if (name.rfind(kPrefix, 0) != 0 || name.size() != kNameLength) continue;
    std::error_code ignored;
    if (const UniqueFd lock = locked(path.string())) fs::remove_all(path, ignored);
  }
}

bool has_room(const fs::path& folder, std::uint64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available >= bytes;
}

}  // namespace

RunFolder::RunFolder(std::uint64_t room) {
  const fs::path memory = "/dev/shm";
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  // Before the room is looked at: what killed runs left takes some.
  remove_abandoned(memory);
  if (!temporary.empty()) remove_abandoned(temporary);
  std::vector<fs::path> bases;
  if (has_room(memory, room)) bases.push_back(memory);
  if (!temporary.empty()) bases.push_back(temporary);
  // A run that starts at the same moment may take a folder that is not locked yet for an abandoned
  // one: try again.
  constexpr int kTries = 5;
  for (const fs::path& base : bases) {
    for (int i = 0; i < kTries; ++i) {
      std::string pattern = (base / (std::string(kPrefix) + "XXXXXX")).string();
      if (::mkdtemp(pattern.data()) == nullptr) break;
      lock_ = locked(pattern);
      if (!lock_) continue;
      path_ = pattern;
      return;
    }
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string RunFolder::of(const std::string& digest) {
  if (path_.empty() || digest.empty()) return {};
  auto known = std::find(digests_.begin(), digests_.end(), digest);
  if (known == digests_.end()) known = digests_.insert(known, digest);
  const std::string folder = path_ + "/" + std::to_string(1000 + (known - digests_.begin()));
  std::error_code error;
  fs::create_directory(folder, error);
  return error ? std::string() : folder;
}

}  // namespace perfgate::measure
