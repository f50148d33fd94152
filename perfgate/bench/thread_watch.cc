// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/thread_watch.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace perfgate::bench {
namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// PF_EXITING of Linux's sched.h, in the flags of /proc/PID/task/TID/stat: set before the one who
// joins is woken, and never taken back.
constexpr unsigned kExiting = 0x4;

// Whether the thread of this folder of /proc/self/task can still run code; false once it is gone.
bool Alive(const fs::path& task) {
  const File file(std::fopen((task / "stat").c_str(), "re"), &std::fclose);
  if (!file) return false;
  char line[1024];
  if (std::fgets(line, sizeof line, file.get()) == nullptr) return false;
  // The name in parentheses can hold anything, a parenthesis too.
  const char* after_name = std::strrchr(line, ')');
  unsigned flags = 0;
  return after_name != nullptr &&
         std::sscanf(after_name + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
         (flags & kExiting) == 0;
}

}  // namespace

int OsThreads() {
  const File file(std::fopen("/proc/self/status", "re"), &std::fclose);
  if (!file) return 0;
  char line[256];
  while (std::fgets(line, sizeof line, file.get()) != nullptr) {
    int threads = 0;
    if (std::sscanf(line, "Threads: %d", &threads) == 1) return threads;
  }
  return 0;
}

int LiveThreads() {
  int alive = 0;
  std::error_code error;
  for (fs::directory_iterator task("/proc/self/task", error), end; !error && task != end;
       task.increment(error)) {
    if (Alive(task->path())) ++alive;
  }
  return alive;
}

}  // namespace perfgate::bench
