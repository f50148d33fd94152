// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/thread_watch.h"

#include <cstdio>
#include <cstring>
#include <memory>

namespace perfgate::bench {

int OsThreads() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/status", "re"),
                                                             &std::fclose);
  if (!file) return 0;
  char line[256];
  while (std::fgets(line, sizeof line, file.get()) != nullptr) {
    int threads = 0;
    if (std::sscanf(line, "Threads: %d", &threads) == 1) return threads;
  }
  return 0;
}

}  // namespace perfgate::bench
