// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/error.h"

namespace engine {

File::File(const std::string& path) : path_(path) {
  const auto fail = [&](const char* why) {
    throw Error(ErrorKind::kData, path + ": cannot be read: " + why);
  };
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) {
    fail(std::strerror(errno));
  }
  struct stat info = {};
  const bool known = ::fstat(fd_, &info) == 0;
  if (!known || !S_ISREG(info.st_mode)) {
    ::close(fd_);
    fail(known && S_ISDIR(info.st_mode) ? std::strerror(EISDIR) : "not a regular file");
  }
  size_ = static_cast<std::uint64_t>(info.st_size);
}

File::~File() { ::close(fd_); }

std::size_t File::ReadAt(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got =
        ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (got == 0) {
      break;
    } else if (errno != EINTR) {
      throw Error(ErrorKind::kData, path_ + ": cannot be read: " + std::strerror(errno));
    }
  }
  return done;
}

}  // namespace engine
