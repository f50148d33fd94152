// SPDX-License-Identifier: Apache-2.0
// preloaded_sampler.cc: libperfgate_sampler.so, which perfgate puts into a program (LD_PRELOAD)
// where the kernel may not sample it. A signal for every tick of CPU time notes where the program
// is and copies its stack; nothing else changes in it. It links nothing of perfgate.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>

#include "perfgate/code/sampling/shared_samples.h"

namespace perfgate::code {
namespace {

constexpr int kGivenDescriptor = 3;  // kGivenFd of base/os/spawn.h
constexpr int kTickUs = 1000;  // the kernel makes 4000 of it where it ticks 250 times a second

// A signal handler has no other way to its data.
SharedSamples* shared_samples = nullptr;

constexpr std::uint64_t kPage = 4096;
constexpr int kMostParts = kStackBytes / kPage + 1;

void NotePlace(const void* context, SampleSlot& slot) {
  const auto* user = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  slot.address = static_cast<std::uint64_t>(user->uc_mcontext.gregs[REG_RIP]);
  slot.stack_at = static_cast<std::uint64_t>(user->uc_mcontext.gregs[REG_RSP]);
  slot.link = 0;
#elif defined(__aarch64__)
  slot.address = user->uc_mcontext.pc;
  slot.stack_at = user->uc_mcontext.sp;
  slot.link = user->uc_mcontext.regs[30];
#else
  static_cast<void>(user);
#endif
}

// Up to the end of the stack. Reading it through the kernel, a page that is not there is no crash.
// The kernel reads whole parts only, so every page is one.
void CopyStack(SampleSlot& slot) {
  iovec parts[kMostParts];  // NOLINT(modernize-avoid-c-arrays)
  unsigned long count = 0;
  const std::uint64_t end = slot.stack_at + kStackBytes;
  for (std::uint64_t at = slot.stack_at; at < end; ++count) {
    const std::uint64_t page_end = (at / kPage + 1) * kPage;
    const std::uint64_t next = page_end < end ? page_end : end;
    parts[count] = {reinterpret_cast<void*>(at), next - at};
    at = next;
  }
  const iovec destination{slot.stack, kStackBytes};
  const ssize_t got = ::process_vm_readv(::getpid(), &destination, 1, parts, count, 0);
  slot.stack_bytes = got < 0 ? 0 : static_cast<std::uint64_t>(got);
}

// Several threads may be here at once.
SampleSlot* BeginSlot(std::uint64_t& index) {
  index = shared_samples->begun.load(std::memory_order_relaxed);
  do {
    if (index - shared_samples->taken.load(std::memory_order_acquire) >= SharedSamples::kSlots) {
      return nullptr;
    }
  } while (!shared_samples->begun.compare_exchange_weak(index, index + 1));
  return &shared_samples->slots[index % SharedSamples::kSlots];
}

void OnTick(int, siginfo_t*, void* context) {
  const int error_of_program = errno;
  std::uint64_t index = 0;
  if (SampleSlot* slot = BeginSlot(index)) {
    NotePlace(context, *slot);
    CopyStack(*slot);
    slot->turn.store(index + 1, std::memory_order_release);
  }
  errno = error_of_program;
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
