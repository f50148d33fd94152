// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "perfgate/base/error.h"

namespace perfgate::inline base {
namespace {

[[noreturn]] void RefuseToRead(const std::string& path, const std::string& why) {
  throw Error(Exit::kData, path + ": cannot be read: " + why);
}

}  // namespace

RegularFile::RegularFile(const std::string& path)
    : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat info = {};
  if (fd_.get() < 0 || ::fstat(fd_.get(), &info) != 0) RefuseToRead(path, std::strerror(errno));
  if (S_ISDIR(info.st_mode)) RefuseToRead(path, std::strerror(EISDIR));
  if (!S_ISREG(info.st_mode)) RefuseToRead(path, "not a regular file");
  size_ = static_cast<std::uint64_t>(info.st_size);
}

std::size_t RegularFile::ReadAt(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got =
        ::pread(fd_.get(), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      RefuseToRead(path_, std::strerror(errno));
    }
  }
  return done;
}

std::string ReadRegularFile(const std::string& path, std::uint64_t most) {
  const RegularFile file(path);
  if (file.size() > most) {
    RefuseToRead(path, std::to_string(file.size()) + " bytes, more than " + std::to_string(most));
  }
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  text.resize(file.ReadAt(0, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace perfgate::inline base
