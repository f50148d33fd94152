// SPDX-License-Identifier: Apache-2.0
#include "engine/model/cut_file.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace engine {
namespace {

constexpr int kBadData = 65;

// Only what may be called in a signal handler: no memory is taken, no stream is used.
void Print(const char* text, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(STDERR_FILENO, text, size);
    if (written <= 0) {
      return;
    }
    text += written;
    size -= static_cast<std::size_t>(written);
  }
}
void Print(const char* text) { Print(text, std::strlen(text)); }

const char* ReadHex(const char* at, std::uintptr_t* value) {
  *value = 0;
  for (;; ++at) {
    const bool digit = *at >= '0' && *at <= '9';
    if (!digit && (*at < 'a' || *at > 'f')) {
      return at;
    }
    *value = *value * 16 + static_cast<std::uintptr_t>(digit ? *at - '0' : *at - 'a' + 10);
  }
}

// A line of /proc/self/maps, "begin-end rwxp offset dev inode  /path": the path when `address` is
// in the range.
const char* PathAt(const char* line, std::uintptr_t address) {
  std::uintptr_t begin = 0, end = 0;
  const char* at = ReadHex(line, &begin);
  if (*at != '-') {
    return nullptr;
  }
  ReadHex(at + 1, &end);
  return address >= begin && address < end ? std::strchr(line, '/') : nullptr;
}

void PrintPathOf(std::uintptr_t address) {
  const int fd = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char line[4608];  // a path has at most 4096 bytes
  std::size_t size = 0;
  char c = 0;
  while (fd >= 0 && ::read(fd, &c, 1) == 1) {
    if (c != '\n') {
      if (size + 1 < sizeof(line)) {
        line[size++] = c;
      }
      continue;
    }
    line[size] = '\0';
    size = 0;
    if (const char* const path = PathAt(line, address)) {
      Print(path);
      return;
    }
  }
  Print("a mapped file");
}

extern "C" void OnBus(int, siginfo_t* info, void*) {
  Print("engine: ");
  PrintPathOf(reinterpret_cast<std::uintptr_t>(info->si_addr));
  Print(": has become shorter, or cannot be read any more, while it was in use\n");
  ::_exit(kBadData);
}

}  // namespace

void TellCutFiles() {
  struct sigaction action = {};
  action.sa_sigaction = &OnBus;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace engine
