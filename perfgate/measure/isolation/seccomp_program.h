// SPDX-License-Identifier: Apache-2.0
// seccomp_program.h: the system calls that an isolated arm may not make.
#pragma once

#include <string>

namespace perfgate::measure {

// The bytes of a filter (struct sock_filter, linux/filter.h) as bubblewrap's --seccomp takes them;
// empty on processors for which it was not written. Refused with "operation not permitted":
//   other processes   ptrace, process_vm_readv, process_vm_writev, pidfd_getfd, process_madvise,
//   kcmp new namespaces    unshare, setns, clone with CLONE_NEW flags mounts, keys, clocks, kernel
//   modules, bpf, perf_event_open, userfaultfd
//   timers         timerfd_create, timer_create, which go off while their process is stopped
// sched_setaffinity says that it succeeded and does nothing: libraries ask for cores of their own,
// and an arm stays on those that it was given. clone3, whose flags a filter cannot see, and calls
// of other processor modes "do not exist"; the C library then uses clone.
std::string SeccompProgram();

}  // namespace perfgate::measure
