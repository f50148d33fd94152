// SPDX-License-Identifier: Apache-2.0
// A program that makes the other arm slow. ATTACK chooses how.
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include <cstdint>
#include <cstdio>

#include "tests/hostile/attacks/victims.h"
#include "tests/hostile/attacks/work.h"

namespace {

[[maybe_unused]] void Spin(int microseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
  while (std::chrono::steady_clock::now() < end) benchmark::DoNotOptimize(attacks::Work(100));
}

// Writes over the 1,000 that the baseline keeps among its variables.
[[maybe_unused]] void ChangeSteps(int victim) {
  std::ifstream maps("/proc/" + std::to_string(victim) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("rw-p") == std::string::npos || line.find("/baseline/") == std::string::npos) {
      continue;
    }
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2) continue;
    for (std::uintptr_t at = begin; at + sizeof(int) <= end; at += sizeof(int)) {
      int value = 0;
      iovec here{&value, sizeof value};
      iovec there{reinterpret_cast<void*>(at), sizeof value};
      if (::process_vm_readv(victim, &here, 1, &there, 1, 0) != sizeof value) break;
      if (value != attacks::kHonestSteps) continue;
      value = 2 * attacks::kHonestSteps;
      ::process_vm_writev(victim, &here, 1, &there, 1, 0);
    }
  }
}

void Harm(int victim) {
#if ATTACK == 1  // stops it for a moment, again and again
  ::kill(victim, SIGSTOP);
  attacks::Pause(500);
  ::kill(victim, SIGCONT);
  attacks::Pause(500);
#elif ATTACK == 2  // the same by a debugger's means
  if (::ptrace(PTRACE_SEIZE, victim, nullptr, nullptr) == 0) {
    ::ptrace(PTRACE_INTERRUPT, victim, nullptr, nullptr);
    ::waitpid(victim, nullptr, __WALL);
    attacks::Pause(500);
    ::ptrace(PTRACE_DETACH, victim, nullptr, nullptr);
  }
  attacks::Pause(500);
#elif ATTACK == 3  // gives it more to do
  ChangeSteps(victim);
  attacks::Pause(1000);
#elif ATTACK == 4  // sends it to the core where this process works
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(::sched_getcpu(), &here);
  ::sched_setaffinity(victim, sizeof here, &here);
  Spin(2000);
#elif ATTACK == 5  // has it wait behind work of its own, on its own core
  cpu_set_t its;
  ::sched_getaffinity(victim, sizeof its, &its);
  ::sched_setaffinity(0, sizeof its, &its);
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(victim), 19);
  Spin(2000);
  attacks::Pause(100);
#elif ATTACK == 6  // works on its core while it runs, and rests while its own arm does
  cpu_set_t its;
  ::sched_getaffinity(victim, sizeof its, &its);
  if (attacks::StateOf(victim) == 'R') {
    ::sched_setaffinity(0, sizeof its, &its);
    Spin(1000);
    attacks::LeaveCore();
  }
  attacks::Pause(50);
#endif
}

const bool kHaunting = attacks::DoBeforeMain([] {
  attacks::Haunt([](int) {
    const int victim = attacks::ProcessOf(attacks::BaselineFile());
    if (victim == 0) {
      attacks::Pause(200);
      return;
    }
    for (int i = 0; i < 200 && attacks::StateOf(victim) != '?'; ++i) Harm(victim);
  });
});

}  // namespace
