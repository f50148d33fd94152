// SPDX-License-Identifier: Apache-2.0
// process.h: one child process, started in known conditions and surely gone afterwards.
//
// The child gets its own session, its cores before it executes, /dev/null as stdin, one pipe
// as stdout and stderr of which perfgate keeps the last few kilobytes, no core dumps, and no other
// descriptor than the one it is given. Variables named BENCHMARK_* are taken out of its environment
// because Google Benchmark reads options from them; one named PERFGATE_LAUNCH is added, of fixed
// length and random content, by which its descendants are known even after setsid(). It dies with
// perfgate: start it from a thread that lives as long as it does.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "perfgate/base/os/process_tree.h"
#include "perfgate/base/os/spawn.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/os/waiting.h"

namespace perfgate::inline base {

struct ExitStatus {
  bool exited = false;         // false: still running
  int code = 0;                // exit code, when signal is 0
  int signal = 0;              // the signal that ended it
  rusage usage{};              // of the child and the descendants it waited for
  bool out_of_memory = false;  // it ended at its limit of memory, or the group's

  bool ok() const { return exited && signal == 0 && code == 0; }
  // "killed by signal 11 (Segmentation fault)", "exited with code 3"
  std::string text() const;
};

class ChildProcess {
 public:
  // Error(kData) when the program cannot be started, with the system's reason (not executable, no
  // such interpreter, a core that may not be used); nothing is left behind then.
  explicit ChildProcess(const SpawnOptions& options);
  ~ChildProcess();  // kills what still runs, descendants included
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int pid() const { return pid_; }

  // The program itself: pid(), or below a wrapper that forks the process that it started; -1 while
  // there is none.
  int program() const;

  // Moves the child, all its threads and what they start from now on to these cores; none: nothing.
  void pin(std::span<const int> cpus) const;

  // True once the child has ended. Reads its output meanwhile. Throws Interrupted.
  bool wait_exit(Deadline deadline, OnInterrupt on_interrupt = OnInterrupt::kThrow);

  // Waits for `fd` to become ready for `events`, or the child's end, whichever is first; reads
  // output meanwhile so that a talkative child never blocks. False: deadline. Throws Interrupted.
  bool wait_fd(int fd, short events, Deadline deadline);

  const ExitStatus& status() const { return status_; }

  // SIGKILL to the child and all its descendants; collects them. Never throws. Idempotent.
  void kill_all();

  // Live processes, besides the child itself, that it or its descendants started. Zombies do not
  // count.
  std::vector<int> leftovers() const;

  // After the child's end: gives its descendants `grace_s` to end on their own, kills the rest and
  // returns how many had to be killed.
  int kill_leftovers(double grace_s);

  // CPU seconds of the child and its living descendants, in nanosecond resolution; after its end
  // what the kernel accounted to it. Negative: not known.
  double cpu_seconds() const;

  // Stops it and all its descendants, by its group or SIGSTOP, and returns when they have stopped.
  void pause();
  void resume();  // nothing where it was not paused

  // The end of what the child printed, control characters made visible, on one line of at most
  // `limit` bytes; empty when it printed nothing.
  std::string output_tail(std::size_t limit = 400);
  const std::string& standard_output();  // whole, with separate_stdout

 private:
  bool wait(int fd, short events, Deadline deadline, OnInterrupt on_interrupt);
  void read_output();
  bool collect();
  void translate_code();
  std::vector<ProcessEntry> members() const;
  void FindWrapped() const;
  void AddGroup(std::vector<ProcessEntry>& found) const;
  bool StopMembers();
  void kill_members(Deadline limit);

  int pid_ = -1;
  UniqueFd pidfd_;
  UniqueFd output_;
  UniqueFd stdout_;
  std::string tail_;
  std::string stdout_text_;
  std::string launch_id_;
  bool in_pid_namespace_ = false;
  std::shared_ptr<const Cgroup> group_;  // none: ours
  std::uint64_t memory_bytes_ = 0;       // limit of each process; 0: none
  mutable int program_ = -1;             // found when first asked for
  mutable int first_ = -1;               // of the PID namespace
  bool is_paused_ = false;
  std::vector<int> paused_;  // in a PID namespace the program, and whoever else was stopped
  ExitStatus status_;
  bool swept_ = false;  // ended and descendants gone: its numbers may belong to others by now
};

}  // namespace perfgate::inline base
