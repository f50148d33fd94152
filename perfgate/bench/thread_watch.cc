// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/thread_watch.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>

namespace perfgate::bench {
namespace {

// PF_EXITING of Linux's sched.h, in the flags of /proc/PID/task/TID/stat: set before the one who
// joins is woken, and never taken back.
constexpr unsigned kExiting = 0x4;

// Whether this thread can still run code; false once it is gone.
bool Alive(int id) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(("/proc/self/task/" + std::to_string(id) + "/stat").c_str(), "re"), &std::fclose);
  // What cannot be looked at, for want of descriptors say, is not thereby gone.
  if (!file) return errno != ENOENT && errno != ESRCH;
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

ThreadIds Threads() {
  ThreadIds ids;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/task"), &::closedir);
  if (!folder) return ids;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] != '.') ids.push_back(std::atoi(entry->d_name));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

ThreadIds NewThreads(const ThreadIds& before) {
  const ThreadIds now = Threads();
  ThreadIds added;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                      std::back_inserter(added));
  std::erase_if(added, [](int id) { return !Alive(id); });
  return added;
}

bool AnyEnded(const ThreadIds& threads) {
  return !std::all_of(threads.begin(), threads.end(), Alive);
}

}  // namespace perfgate::bench
