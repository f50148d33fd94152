// SPDX-License-Identifier: Apache-2.0
// preloaded_sampler.cc: libperfgate_sampler.so, which perfgate puts into a program (LD_PRELOAD)
// where the kernel may not sample it. A signal for every tick of CPU time notes where the program
// is; nothing else changes in it. It links nothing of perfgate.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "perfgate/code/sampling/shared_samples.h"

namespace perfgate::code {
namespace {

constexpr int kGivenDescriptor = 3;  // kGivenFd of base/os/spawn.h
constexpr int kTickUs = 1000;  // the kernel makes 4000 of it where it ticks 250 times a second

// A signal handler has no other way to its data.
SharedSamples* shared_samples = nullptr;

std::uint64_t ProgramCounter(const void* context) {
  const auto* user = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(user->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return user->uc_mcontext.pc;
#else
  static_cast<void>(user);
  return 0;
#endif
}

void OnTick(int, siginfo_t*, void* context) {
  const std::uint64_t index = shared_samples->count.fetch_add(1, std::memory_order_relaxed);
  if (index < SharedSamples::kMost) shared_samples->addresses[index] = ProgramCounter(context);
}

__attribute__((constructor)) void StartSampling() {
  struct stat status {};
  if (::fstat(kGivenDescriptor, &status) != 0 ||
      status.st_size != static_cast<off_t>(sizeof(SharedSamples))) {
    return;
  }
  void* memory = ::mmap(nullptr, sizeof(SharedSamples), PROT_READ | PROT_WRITE, MAP_SHARED,
                        kGivenDescriptor, 0);
  if (memory == MAP_FAILED) return;
  shared_samples = static_cast<SharedSamples*>(memory);
  if (shared_samples->mark != SharedSamples::kMark) return;
  // The descriptor stays: the timer outlives exec, and what is executed then finds it here again.
  shared_samples->loaded = 1;
  struct sigaction action {};
  action.sa_sigaction = OnTick;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigfillset(&action.sa_mask);
  ::sigaction(SIGPROF, &action, nullptr);
  const itimerval every{{0, kTickUs}, {0, kTickUs}};
  ::setitimer(ITIMER_PROF, &every, nullptr);
}

}  // namespace
}  // namespace perfgate::code
