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

void write_all(int fd, std::string_view content, int& error) {
  while (!content.empty() && error == 0) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
}

// Pipes, terminals and /dev/null take bytes as they come, and must never be replaced by a rename.
void write_to_device(const std::string& path, std::string_view content) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) fail(path, "open", errno);
  int error = 0;
  write_all(fd, content, error);
  ::close(fd);
  if (error != 0) fail(path, "write", error);
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

void write_file_atomically(const std::string& path, std::string_view content) {
  std::error_code ignored;
  // A symbolic link stays a link: what it points to is replaced.
  const fs::path resolved = fs::canonical(path, ignored);
  const std::string target = resolved.empty() ? path : resolved.string();

  struct stat old = {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, "open", EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_to_device(path, content);

  std::string temporary;
  const int fd = create_beside(target, temporary);
  if (fd < 0) fail(path, "create a temporary file beside it", errno);

  int error = 0;
  const char* step = "write";
  write_all(fd, content, error);
  if (error == 0 && exists && ::fchmod(fd, old.st_mode & 07777) != 0) {
    step = "keep the permissions";
    error = errno;
  }
  if (error == 0 && ::fsync(fd) != 0) {
    step = "flush to disk";
    error = errno;
  }
  if (::close(fd) != 0 && error == 0) {
    step = "close";
    error = errno;
  }
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) {
    step = "rename";
    error = errno;
  }
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, step, error);
  }
  const fs::path folder = fs::path(target).parent_path();
  sync_folder(folder.empty() ? "." : folder);
}

}  // namespace perfgate::inline base
