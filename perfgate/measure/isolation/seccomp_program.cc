// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/isolation/seccomp_program.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfgate::measure {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

// Numbers of calls of the x32 mode have this bit.
constexpr std::uint32_t kX32Bit = 0x40000000;

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. clone() knows no CLONE_NEWTIME:
// its bit is part of the signal number there.
constexpr std::uint32_t kNamespaceFlags =
    0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;

// Numbers that headers of older systems lack; they are the same on every processor.
constexpr long kPidfdGetfd = 438;
constexpr long kProcessMadvise = 440;
constexpr long kProcessMrelease = 448;
constexpr long kOpenTree = 428;
constexpr long kMoveMount = 429;
constexpr long kFsopen = 430;
constexpr long kMountSetattr = 442;
constexpr long kClone3 = 435;
// A queue of io_uring may be served by a thread of the kernel, which goes on while its process is
// stopped and would work beside the other arm.
constexpr std::array kIoUring = {425L, 426L, 427L};

constexpr std::array kRefused = {
    // Timers go off while their process is stopped, on the core where the other arm works.
    long{SYS_timerfd_create},
    long{SYS_timer_create},
    long{SYS_ptrace},
    long{SYS_process_vm_readv},
    long{SYS_process_vm_writev},
    kPidfdGetfd,
    kProcessMadvise,
    kProcessMrelease,
    long{SYS_kcmp},
    long{SYS_unshare},
    long{SYS_setns},
    long{SYS_mount},
    long{SYS_umount2},
    long{SYS_pivot_root},
    kOpenTree,
    kMoveMount,
    kFsopen,
    kMountSetattr,
    long{SYS_add_key},
    long{SYS_request_key},
    long{SYS_keyctl},
    long{SYS_clock_settime},
    long{SYS_settimeofday},
    long{SYS_adjtimex},
    long{SYS_clock_adjtime},
    long{SYS_init_module},
    long{SYS_finit_module},
    long{SYS_delete_module},
    long{SYS_kexec_load},
    long{SYS_bpf},
    long{SYS_perf_event_open},
    long{SYS_userfaultfd},
    long{SYS_reboot},
    long{SYS_swapon},
    long{SYS_swapoff},
    long{SYS_acct},
};

constexpr std::uint32_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint32_t kJumpEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint32_t kReturn = BPF_RET | BPF_K;
constexpr std::uint32_t kNotPermitted = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t kNothingDone = SECCOMP_RET_ERRNO;  // and 0: it says that it succeeded
constexpr std::uint32_t kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;

sock_filter Statement(std::uint32_t code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}

// Goes on with the next statement where it holds, else past it.
sock_filter Jump(std::uint32_t code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 1, value};
}

}  // namespace

std::string SeccompProgram() {
  if (kArchitecture == 0) return {};
  std::vector<sock_filter> program = {
      Statement(kLoad, offsetof(seccomp_data, arch)),
      {static_cast<std::uint16_t>(kJumpEqual), 1, 0, kArchitecture},
      Statement(kReturn, kNoSuchCall),
      Statement(kLoad, offsetof(seccomp_data, nr)),
  };
#if defined(__x86_64__)
  program.push_back(Jump(BPF_JMP | BPF_JSET | BPF_K, kX32Bit));
  program.push_back(Statement(kReturn, kNoSuchCall));
#endif
  program.push_back(Jump(kJumpEqual, kClone3));
  program.push_back(Statement(kReturn, kNoSuchCall));
  for (const long number : kIoUring) {
    program.push_back(Jump(kJumpEqual, static_cast<std::uint32_t>(number)));
    program.push_back(Statement(kReturn, kNoSuchCall));
  }
  for (const long number : kRefused) {
    program.push_back(Jump(kJumpEqual, static_cast<std::uint32_t>(number)));
    program.push_back(Statement(kReturn, kNotPermitted));
  }
  program.push_back(Jump(kJumpEqual, SYS_sched_setaffinity));
  program.push_back(Statement(kReturn, kNothingDone));
  // Three statements more where it is clone, else the end.
  program.push_back({static_cast<std::uint16_t>(kJumpEqual), 0, 3, SYS_clone});
  program.push_back(Statement(kLoad, offsetof(seccomp_data, args)));
  program.push_back(Jump(BPF_JMP | BPF_JSET | BPF_K, kNamespaceFlags));
  program.push_back(Statement(kReturn, kNotPermitted));
  program.push_back(Statement(kReturn, SECCOMP_RET_ALLOW));
  return {reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter)};
}

}  // namespace perfgate::measure
