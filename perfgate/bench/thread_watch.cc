// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/thread_watch.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace perfgate::bench {
namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// PF_EXITING of Linux's sched.h, in the flags of /proc/PID/task/TID/stat: set before the one who
// joins is woken, and never taken back.
constexpr unsigned kExiting = 0x4;

// Whether this thread can still run code; false once it is gone.
bool Alive(const std::string& id) {
  const File file(std::fopen(("/proc/self/task/" + id + "/stat").c_str(), "re"), &std::fclose);
  if (!file) return false;
  char text[1024];
  const std::size_t read = std::fread(text, 1, sizeof text - 1, file.get());
  if (read == 0) return false;
  text[read] = '\0';
  // A program names its threads: with a parenthesis or the end of a line, too.
  const char* after_name = std::strrchr(text, ')');
  unsigned flags = 0;
  return after_name == nullptr ||
         std::sscanf(after_name + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) != 1 ||
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
  std::vector<std::string> ids;
  std::error_code error;
  for (fs::directory_iterator task("/proc/self/task", error), end; !error && task != end;
       task.increment(error)) {
    ids.push_back(task->path().filename());
  }
  if (error) return OsThreads();
  // The newest, which are last, first: in a pool of a thousand a late one ends while the others
  // are looked at.
  return static_cast<int>(std::count_if(ids.rbegin(), ids.rend(), Alive));
}

}  // namespace perfgate::bench
