// SPDX-License-Identifier: Apache-2.0
#include "engine/model/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine/error.h"

namespace engine {

AtomicFile::AtomicFile(const std::string& path)
    : path_(path), temporary_(path + ".tmp-" + std::to_string(::getpid())) {
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    Fail("create a temporary file beside it");
  }
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      Fail("write");
    }
  }
}

void AtomicFile::Commit() {
  if (::fsync(fd_) != 0) {
    Fail("flush to disk");
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    Fail("rename");
  }
  ::close(fd_);
  fd_ = -1;
}

void AtomicFile::Fail(const char* step) const {
  throw Error(ErrorKind::kData,
              path_ + ": cannot be written: " + step + ": " + std::strerror(errno));
}

void WriteFile(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.Write(std::as_bytes(std::span(text)));
  file.Commit();
}

}  // namespace engine
