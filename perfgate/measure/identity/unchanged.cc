// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/identity/unchanged.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "perfgate/base/error.h"
#include "perfgate/base/io/regular_file.h"
#include "perfgate/base/sha256.h"

namespace perfgate::measure {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 30;

// A write or a rename changes ctime, which only the kernel sets. Empty: the file is gone.
std::string NumbersOf(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {}.{} {}.{}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec);
}

}  // namespace

void UnchangedFiles::Require(const Executable& executable) {
  for (std::size_t i = 0; i < executable.file_digests.size(); ++i) {
    const std::string& path = i == 0 ? executable.path : executable.libraries[i - 1];
    const std::string numbers = NumbersOf(path);
    std::string& known = seen_[path];
    if (!numbers.empty() && known == numbers) continue;
    if (numbers.empty() ||
        sha256_hex(ReadRegularFile(path, kMostBytes)) != executable.file_digests[i]) {
      throw Error(Exit::kInvalid,
                  path +
                      " was replaced while it was measured: what ran is not what was hashed. "
                      "Start the gate again when nothing builds or replaces it");
    }
    known = numbers;
  }
}

}  // namespace perfgate::measure
