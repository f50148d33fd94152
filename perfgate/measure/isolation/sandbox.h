// SPDX-License-Identifier: Apache-2.0
// sandbox.h: how one process of an arm is started so that it reaches nothing but its own.
//
// With bubblewrap the process sees the system's programs and libraries, its own executable and
// libraries, and what it was given to read, all read-only; an empty /tmp, /dev/shm and /run; a
// /proc and a network of its own; of the environment a few variables (kKeptVariables).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/os/spawn.h"
#include "perfgate/measure/isolation/abilities.h"

namespace perfgate::measure {

// A file or folder of the machine, and where the sandbox shows it.
struct Binding {
  std::string source;
  std::string place;
};

struct SandboxPlan {
  std::vector<Binding> read;
  std::vector<std::pair<std::string, std::string>> links;  // text of the link, and its place
  std::vector<std::string> hidden;                         // files that stay out of sight
  std::vector<Binding> write{};                            // folders that it may change
  std::string folder = "/tmp";                             // it is started in
  int user = -1;         // with setpriv: the arm's user; -1: with bubblewrap
  bool network = false;  // it may use the machine's network: a build that fetches what it needs
};

class Sandbox {
 public:
  Sandbox(const Abilities& abilities, SandboxPlan plan);

  // Makes the options start their program inside. writable: folders that it may write to.
  // Error(kData) where the system has no descriptor left.
  void Wrap(const std::vector<std::string>& writable, SpawnOptions& options) const;

 private:
  void WrapInNamespaces(const std::vector<std::string>& writable, SpawnOptions& options) const;
  void WrapAsUser(const std::vector<std::string>& writable, SpawnOptions& options) const;

  Abilities abilities_;
  SandboxPlan plan_;
};

// What starts a program that may read every file and change none, without network and alone: the
// program loader of an executable is its author's choice, and runs the author's code when it is
// asked for libraries. It may not read what is hidden. Without words where the machine has no
// means.
Wrapper ReadOnlyWrapper(const Abilities& abilities, const std::vector<std::string>& hidden = {});

// The user that setpriv makes of an arm: far above those that systems give out.
constexpr int UserOfArm(int arm) { return 1'900'000'000 + arm; }

// Variables of the environment that an isolated arm gets, where they are set.
inline constexpr const char* kKeptVariables[] = {"PATH",
                                                 "LANG",
                                                 "LC_ALL",
                                                 "TZ",
                                                 "TERM",
                                                 "LD_LIBRARY_PATH",
                                                 "OMP_NUM_THREADS",
                                                 "OMP_PROC_BIND",
                                                 "OMP_PLACES",
                                                 "GOMP_CPU_AFFINITY",
                                                 "KMP_AFFINITY",
                                                 "OPENBLAS_NUM_THREADS",
                                                 "MKL_NUM_THREADS",
                                                 "CUDA_VISIBLE_DEVICES",
                                                 "NVIDIA_VISIBLE_DEVICES",
                                                 "GLIBC_TUNABLES",
                                                 "MALLOC_ARENA_MAX"};

}  // namespace perfgate::measure
