// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "perfgate/base/error.h"

namespace perfgate::inline base {
namespace {

[[noreturn]] void RefuseInput(const std::string& path, const std::string& why) {
  throw Error(Exit::kData, path + ": cannot be read: " + why);
}

std::string OpenFailure(const std::string& path, const InputKind& kind, int error) {
  struct stat info = {};
  if (error == ELOOP && ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) {
    return kind.last_link == LastLink::kRefused
               ? "it is a symbolic link, and a " + std::string(kind.name) +
                     " is read from the file itself; name that"
               : "it is a loop of symbolic links; name the file itself";
  }
  return std::string(std::strerror(error)) + "; check the path and its permissions";
}

std::string_view WordOfMode(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// Reads up to `most` bytes from the start; false where reading fails.
bool ReadUpTo(int fd, std::uint64_t most, std::string& text) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
  while (text.size() < most) {
    const std::size_t before = text.size();
    text.resize(before + static_cast<std::size_t>(std::min(kChunk, most - before)));
    const ssize_t got = ::read(fd, text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return false;
  }
  return true;
}

}  // namespace

InputFile::InputFile(const std::string& path, const InputKind& kind) : path_(path), kind_(kind) {
  const int no_follow = kind.last_link == LastLink::kRefused ? O_NOFOLLOW : 0;
  fd_ = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | no_follow));
  if (!fd_) {
    const int error = errno;
    // A socket cannot be opened, and neither can a device without its driver.
    struct stat info = {};
    if (error == ENXIO && ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
      RefuseInput(path, "it is " + std::string(WordOfMode(info.st_mode)) + ", not a regular file");
    }
    RefuseInput(path, OpenFailure(path, kind, error));
  }
  struct stat info = {};
  if (::fstat(fd_.get(), &info) != 0) RefuseInput(path, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) {
    RefuseInput(path, "it is " + std::string(WordOfMode(info.st_mode)) +
                          ", not a regular file; check the path and name the " +
                          std::string(kind.name) + " itself");
  }
  size_ = static_cast<std::uint64_t>(info.st_size);
  if (size_ > kind.most) {
    RefuseInput(path, "it has " + std::to_string(size_) + " bytes, and a " +
                          std::string(kind.name) + " has at most " + std::to_string(kind.most));
  }
}

std::string InputFile::Text() const {
  std::string text;
  text.reserve(static_cast<std::size_t>(size_));
  if (!ReadUpTo(fd_.get(), kind_.most + 1, text)) RefuseInput(path_, std::strerror(errno));
  if (text.size() > kind_.most) {
    RefuseInput(path_, "it grew while it was read, and a " + std::string(kind_.name) +
                           " has at most " + std::to_string(kind_.most) + " bytes");
  }
  return text;
}

std::string ReadInputHead(const std::string& path, std::uint64_t bytes) {
  constexpr std::uint64_t kAnySize = std::numeric_limits<std::int64_t>::max();
  const InputFile file(path, {"file", kAnySize, LastLink::kFollowed});
  std::string text;
  if (!ReadUpTo(file.descriptor(), bytes, text)) RefuseInput(path, std::strerror(errno));
  return text;
}

}  // namespace perfgate::inline base
