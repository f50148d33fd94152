// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/preload/launched.h"

#include <fcntl.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace perfgate::bench {
namespace {

// perfgate puts its library before those that the user preloads.
void RestorePreload() {
  const char* const text = std::getenv("LD_PRELOAD");
  if (text == nullptr) return;
  const std::string preload = text;
  const std::size_t end = preload.find(':');
  if (preload.substr(0, end).find("libperfgate_") == std::string::npos) return;
  if (end == std::string::npos) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", preload.substr(end + 1).c_str(), 1);
  }
}

}  // namespace

int TakeLaunchVariables() {
  constexpr const char* kVariable = "PERFGATE_WORKER";
  RestorePreload();
  const char* const text = std::getenv(kVariable);
  if (text == nullptr) return -1;
  const std::string_view digits = text;
  int fd = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), fd);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  unsetenv(kVariable);
  if (!whole || fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return -1;
  return fd;
}

}  // namespace perfgate::bench
