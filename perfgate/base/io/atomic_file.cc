// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "perfgate/base/error.h"

namespace perfgate::inline base {
namespace {

namespace fs = std::filesystem;

std::string_view hint(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space there or name another folder";
    case EFBIG:
      return "the file size limit of this process is too low (ulimit -f)";
    case EROFS:
      return "the file system is mounted read-only; name another folder";
    case EACCES:
    case EPERM:
      return "this user may not write there; change the permissions or name another folder";
    case ENOENT:
    case ENOTDIR:
      return "the folder does not exist; create it first";
    case EISDIR:
      return "this is a folder; name a file in it";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "nothing was changed there";
  }
}

[[noreturn]] void fail(const std::string& path, const char* step, int error) {
  throw Error(Exit::kData, path + ": cannot be written: " + step + ": " + std::strerror(error) +
                               "; " + std::string(hint(error)));
}

// Created with the permissions that a plain open would give, unlike mkstemp's 0600.
int create_beside(const std::string& target, std::string& temporary) {
  std::random_device entropy;
  for (int attempt = 0;; ++attempt) {
    temporary = target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(entropy());
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST || attempt == 100) return fd;
  }
}

void sync_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  // The rename has happened and the file is whole either way; file systems that cannot flush a
  // folder say so here, which is no reason to call the write failed.
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  std::error_code ignored;
  // A symbolic link stays a link: what it points to is replaced.
  const fs::path resolved = fs::canonical(path, ignored);
  target_ = resolved.empty() ? path : resolved.string();

  struct stat old = {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, "open", EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    // Pipes, terminals and /dev/null take bytes as they come, and a rename must never replace them.
    fd_ = UniqueFd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (fd_.get() < 0) fail(path, "open", errno);
    return;
  }
  if (exists) permissions_ = old.st_mode & 07777;
  fd_ = UniqueFd(create_beside(target_, temporary_));
  if (fd_.get() < 0) fail(path, "create a temporary file beside it", errno);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail(path_, "write", errno);
    }
  }
}

void AtomicFile::Commit() {
  if (temporary_.empty()) return fd_.reset();
  if (permissions_ && ::fchmod(fd_.get(), *permissions_) != 0) {
    fail(path_, "keep the permissions", errno);
  }
  if (::fsync(fd_.get()) != 0) fail(path_, "flush to disk", errno);
  if (::close(fd_.release()) != 0) fail(path_, "close", errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, "rename", errno);
  temporary_.clear();
  const fs::path folder = fs::path(target_).parent_path();
  sync_folder(folder.empty() ? "." : folder);
}

void write_file_atomically(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.Write(std::as_bytes(std::span(content)));
  file.Commit();
}

}  // namespace perfgate::inline base
