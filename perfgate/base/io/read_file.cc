// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>

#include "perfgate/base/io/input_file.h"
#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {
namespace {

// Appends up to about `limit` bytes. False, with errno set, where reading fails.
bool read_all(int fd, std::size_t limit, std::string& text) {
  std::array<char, 1U << 16U> chunk;
  while (text.size() < limit) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got == 0) return true;
    if (got > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string read_file_text(const std::string& path) {
  constexpr std::uint64_t kAnySize = std::numeric_limits<std::int64_t>::max();
  return ReadInputFile(path, {"file", kAnySize, LastLink::kFollowed});
}

std::string read_small_file(const std::string& path) {
  constexpr std::size_t kLimit = std::size_t{1} << 20;
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string text;
  if (fd) read_all(fd.get(), kLimit, text);
  return text;
}

}  // namespace perfgate::inline base
