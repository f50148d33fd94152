// SPDX-License-Identifier: Apache-2.0
// Stops a child and all its descendants, and lets them go on.
#include <sys/wait.h>

#include <csignal>
#include <thread>
#include <utility>

#include "perfgate/base/os/process.h"

namespace perfgate::inline base {
namespace {

constexpr double kPauseLimitS = 1;
constexpr double kLookAgainS = 0.0001;

}  // namespace

void ChildProcess::pause() {
  if (collect()) return;
  const Deadline limit = Deadline::in(kPauseLimitS);
  is_paused_ = true;
  if (group_) {
    group_->Freeze();
    while (!group_->IsFrozen() && !limit.passed()) std::this_thread::yield();
    if (group_->IsFrozen()) return;
  }
  ::kill(-pid_, SIGSTOP);
  while (!in_pid_namespace_ && !limit.passed()) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WNOHANG) != 0) return;
    if (info.si_pid == pid_ || collect()) break;
    sleep_for(kLookAgainS, OnInterrupt::kIgnore);
  }
  // One that starts others while it is told to stop is told again.
  for (int tries = 1; !status_.exited && !limit.passed() && !StopMembers(); ++tries) {
    constexpr int kSoon = 5;  // stopping takes some 20 us, reading who is there some 100
    if (tries > kSoon) sleep_for(kLookAgainS, OnInterrupt::kIgnore);
    if (tries % kSoon == 0) collect();
  }
}

// Whether all had stopped already.
bool ChildProcess::StopMembers() {
  paused_ = leftovers();
  if (in_pid_namespace_ && program() > 0) paused_.push_back(program());
  bool stopped = true;
  for (const int pid : paused_) {
    if (IsStopped(pid)) continue;
    ::kill(pid, SIGSTOP);
    stopped = false;
  }
  return stopped;
}

void ChildProcess::resume() {
  if (!std::exchange(is_paused_, false) || collect()) return;
  if (group_) group_->Thaw();
  ::kill(-pid_, SIGCONT);
  for (const int pid : paused_) ::kill(pid, SIGCONT);
  paused_.clear();
}

}  // namespace perfgate::inline base
