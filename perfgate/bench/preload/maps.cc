// SPDX-License-Identifier: Apache-2.0
// libperfgate_maps.so, preloaded: when the program ends it writes what it has mapped, by then also
// what it opened with dlopen(), to the file that PERFGATE_MAPS names. C only: nothing of the C++
// library may come into a program that might have another one.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

// A destructor takes no argument.
char* file = nullptr;
pid_t owner = 0;

// What perfgate put before the user's own, so that no program started from this one has it.
void RestorePreloadList() {
  const char* const list = getenv("LD_PRELOAD");
  const char* const rest = list == nullptr ? nullptr : strchr(list, ':');
  if (rest == nullptr) {
    unsetenv("LD_PRELOAD");
    return;
  }
  char* const copy = strdup(rest + 1);
  if (copy != nullptr) setenv("LD_PRELOAD", copy, 1);
  free(copy);
}

__attribute__((constructor)) void TakeMapsVariable() {
  const char* const name = getenv("PERFGATE_MAPS");
  if (name == nullptr) return;
  file = strdup(name);
  owner = getpid();
  unsetenv("PERFGATE_MAPS");
  RestorePreloadList();
}

__attribute__((destructor)) void WriteMaps() {
  if (file == nullptr || getpid() != owner) return;  // a forked child has its own end
  const int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  const int to = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  char chunk[4096];
  ssize_t got = 0;
  while (from >= 0 && to >= 0 && (got = read(from, chunk, sizeof chunk)) > 0) {
    if (write(to, chunk, static_cast<size_t>(got)) != got) break;
  }
  if (to >= 0) close(to);
  if (from >= 0) close(from);
}

}  // namespace
