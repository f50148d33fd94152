// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/isolation/private_copies.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/regular_file.h"
#include "perfgate/base/os/system_reason.h"
#include "perfgate/base/sha256.h"

namespace perfgate::measure {
namespace {

constexpr std::uint64_t kLargestProgram = std::uint64_t{16} << 30;

}  // namespace

PrivateCopies::PrivateCopies() {
  // Entered, though not listed, by the users that setpriv makes of the arms.
  constexpr mode_t kEnter = 0711;
  if (::chmod(folder_.path().c_str(), kEnter) != 0) {
    throw Error(Exit::kData,
                "cannot open " + folder_.path() + " to the arms: " + SystemReason(errno));
  }
}

std::string PrivateCopies::Of(const std::string& path, const std::string& digest) {
  const std::lock_guard lock(mutex_);
  const auto known = copies_.find(digest);
  if (known != copies_.end()) return known->second;
  const std::string bytes = ReadRegularFile(path, kLargestProgram);
  if (sha256_hex(bytes) != digest) {
    throw Error(Exit::kInvalid,
                path +
                    " changed while it was about to be measured; start the gate again when "
                    "nothing builds or replaces it");
  }
  const std::string copy = folder_.file(digest.substr(0, 16));
  // Nobody keeps it, so it need not reach the disk.
  std::ofstream(copy, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  constexpr mode_t kRunOnly = 0555;
  struct stat status {};
  if (::chmod(copy.c_str(), kRunOnly) != 0 || ::stat(copy.c_str(), &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) != bytes.size()) {
    throw Error(Exit::kData, "cannot copy " + path + " to " + copy +
                                 "; is there room? set TMPDIR to a folder with more");
  }
  copies_.emplace(digest, copy);
  return copy;
}

}  // namespace perfgate::measure
