// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/process_tree.h"
#include "perfgate/base/os/spawn.h"
#include "perfgate/base/os/usage.h"
#include "perfgate/base/text/one_line.h"

namespace perfgate::inline base {
namespace {

constexpr std::size_t kTailBytes = 4096;
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

// Without pidfd_open() (before Linux 5.3) the child's end is looked for this often.
constexpr double kPollS = 0.002;

// A killed process may linger in the kernel, in an uninterruptible read for instance.
constexpr double kKillLimitS = 5;
constexpr double kCheckS = 0.0005;

// In a PID namespace made for it the first process waits for the others, and this is the program.
constexpr int kFirstProgram = 2;

int open_pidfd(int pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
#else
  static_cast<void>(pid);
  return -1;
#endif
}

// Reads what is there, at most kReadAtOnce, into `text`; false at the end of the stream.
template <typename Keep>
bool drain(int fd, const Keep& keep) {
  std::array<char, 65536> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (std::size_t total = 0; total < kReadAtOnce;) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    keep(chunk.data(), static_cast<std::size_t>(got));
    total += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::string ExitStatus::text() const {
  if (!exited) return "still running";
  if (signal != 0) {
    const std::string text = "killed by signal " + std::to_string(signal) + " (" +
                             ::strsignal(signal) + ")";  // NOLINT(concurrency-mt-unsafe)
    return out_of_memory ? text + ": it used up the memory that it may have" : text;
  }
  return "exited with code " + std::to_string(code);
}

ChildProcess::ChildProcess(const SpawnOptions& options) {
  Spawned spawned = spawn(options);
  pid_ = spawned.pid;
  output_ = std::move(spawned.output);
  stdout_ = std::move(spawned.standard_output);
  launch_id_ = std::move(spawned.launch_id);
  in_pid_namespace_ = options.wrapper.new_pid_namespace;
  group_ = options.group;
  memory_bytes_ = options.memory_bytes;
  pidfd_ = UniqueFd(open_pidfd(pid_));
}

ChildProcess::~ChildProcess() { kill_all(); }

int ChildProcess::program() const {
  if (!in_pid_namespace_) return pid_;
  if (program_ <= 0) FindWrapped();
  return program_;
}

void ChildProcess::FindWrapped() const {
  for (const ProcessEntry& entry : descendants(pid_)) {
    const int number = NamespacePid(entry.pid);
    if (number == 1 && entry.parent == pid_) first_ = entry.pid;
    if (number == kFirstProgram && program_ <= 0) program_ = entry.pid;
  }
}

// Those of the launch, without the wrapper's own.
std::vector<ProcessEntry> ChildProcess::members() const {
  if (in_pid_namespace_ && !status_.exited) {
    // Nobody leaves a PID namespace, so all of them are below its wrapper.
    std::vector<ProcessEntry> found = descendants(pid_);
    const int program = this->program();
    std::erase_if(found, [&](const ProcessEntry& entry) {
      return entry.pid == program || entry.pid == first_;
    });
    return found;
  }
  std::vector<ProcessEntry> found = launch_members(pid_, launch_id_);
  AddGroup(found);
  return found;
}

// Whoever joined the group at the start is in it still, whatever became of its parent, session and
// environment. A PID namespace is as good, and its wrapper's own processes are in the group too.
void ChildProcess::AddGroup(std::vector<ProcessEntry>& found) const {
  if (!group_ || in_pid_namespace_) return;
  for (const int pid : group_->Members()) {
    const bool known =
        pid == pid_ || std::any_of(found.begin(), found.end(),
                                   [pid](const ProcessEntry& entry) { return entry.pid == pid; });
    if (!known) found.push_back({.pid = pid});
  }
}

void ChildProcess::pin(std::span<const int> cpus) const {
  if (cpus.empty() || status_.exited) return;
  set_affinity_of_process(pid_, cpus);
  if (!in_pid_namespace_) return;
  for (const ProcessEntry& entry : descendants(pid_)) set_affinity_of_process(entry.pid, cpus);
}

void ChildProcess::read_output() {
  const auto keep_tail = [&](const char* data, std::size_t size) {
    tail_.append(data, size);
    if (tail_.size() > 4 * kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
  };
  if (output_ && !drain(output_.get(), keep_tail)) output_.reset();
  const auto keep_all = [&](const char* data, std::size_t size) {
    stdout_text_.append(data, std::min(size, kStdoutLimit - stdout_text_.size()));
  };
  if (stdout_ && !drain(stdout_.get(), keep_all)) stdout_.reset();
}

// True once the child has ended and its status is known.
bool ChildProcess::collect() {
  if (status_.exited) return true;
  int status = 0;
  const pid_t got = ::wait4(pid_, &status, WNOHANG, &status_.usage);
  if (got == 0 || (got < 0 && errno == EINTR)) return false;
  status_.exited = true;
  ForgetMain(pid_);
  if (got == pid_ && WIFSIGNALED(status)) status_.signal = WTERMSIG(status);
  if (got == pid_ && WIFEXITED(status)) status_.code = WEXITSTATUS(status);
  if (got != pid_) status_.code = 255;  // somebody else waited for our child
  if (in_pid_namespace_) translate_code();
  // Only the first process of a namespace knows how large the program was.
  const bool ask_namespace = in_pid_namespace_ && memory_bytes_ > 0 && status_.signal != 0;
  if (ask_namespace) kill_members(Deadline::in(kKillLimitS));
  status_.out_of_memory = (group_ && status_.signal == SIGKILL && group_->RanOutOfMemory()) ||
                          (status_.signal != 0 && PeakReached(memory_bytes_, status_.usage));
  return true;
}

// A wrapper cannot die of the program's signal.
void ChildProcess::translate_code() {
  constexpr int kSignalled = 128;
  if (status_.code <= kSignalled || status_.code >= kSignalled + NSIG) return;
  status_.signal = status_.code - kSignalled;
  status_.code = 0;
}

bool ChildProcess::wait_fd(int fd, short events, Deadline deadline) {
  return wait(fd, events, deadline, OnInterrupt::kThrow);
}

bool ChildProcess::wait_exit(Deadline deadline, OnInterrupt on_interrupt) {
  while (!status_.exited) {
    if (!wait(-1, 0, deadline, on_interrupt)) return false;
  }
  return true;
}

bool ChildProcess::wait(int fd, short events, Deadline deadline, OnInterrupt on_interrupt) {
  for (;;) {
    const bool ended = collect();
    read_output();
    if (ended) return true;
    std::array<pollfd, 4> fds = {{{fd, events, 0},
                                  {pidfd_.get(), POLLIN, 0},
                                  {output_.get(), POLLIN, 0},
                                  {stdout_.get(), POLLIN, 0}}};
    Deadline next = deadline;
    if (!pidfd_ && next.left_s() > kPollS) next = Deadline::in(kPollS);
    wait_ready(fds, next, on_interrupt);
    if (fds[0].revents != 0) return true;
    if (deadline.passed()) return collect();
  }
}

void ChildProcess::kill_all() {
  if (pid_ < 0 || swept_) return;
  const Deadline limit = Deadline::in(kKillLimitS);
  if (!status_.exited) {
    // Not collected yet, so the number cannot belong to another group.
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
  }
  if (group_) group_->Kill();
  kill_members(limit);
  while (!collect() && !limit.passed()) {
    pollfd ended{pidfd_.get(), POLLIN, 0};
    wait_ready({&ended, 1}, Deadline::in(pidfd_ ? limit.left_s() : kPollS), OnInterrupt::kIgnore);
  }
  kill_members(limit);  // those who became orphans just now
  read_output();
}

void ChildProcess::kill_members(Deadline limit) {
  const int self = ::getpid();
  for (;;) {
    int alive = 0;
    std::vector<ProcessEntry> found = launch_members(pid_, launch_id_);
    AddGroup(found);
    for (const ProcessEntry& entry : found) {
      if (entry.alive()) {
        ::kill(entry.pid, SIGKILL);
        ++alive;
      } else if (entry.parent == self) {
        rusage usage{};
        // A wrapper need not wait for the namespace that it made: what was used in there comes to
        // this process with the orphaned first process.
        if (::wait4(entry.pid, nullptr, WNOHANG, &usage) == entry.pid && in_pid_namespace_) {
          AddUsage(usage, status_.usage);
        }
      }
    }
    if (alive == 0 || limit.passed()) break;
    sleep_for(kCheckS, OnInterrupt::kIgnore);
  }
  swept_ = status_.exited;
}

std::vector<int> ChildProcess::leftovers() const {
  std::vector<int> pids;
  if (swept_) return pids;
  for (const ProcessEntry& entry : members()) {
    if (entry.alive()) pids.push_back(entry.pid);
  }
  return pids;
}

int ChildProcess::kill_leftovers(double grace_s) {
  if (swept_) return 0;
  const Deadline grace = Deadline::in(grace_s);
  std::vector<int> left = leftovers();
  while (!left.empty() && !grace.passed()) {
    sleep_for(kCheckS, OnInterrupt::kIgnore);
    left = leftovers();
  }
  kill_members(Deadline::in(kKillLimitS));
  return static_cast<int>(left.size());
}

double ChildProcess::cpu_seconds() const {
  // The group also counts those that ended meanwhile.
  if (group_ && group_->CpuSeconds() >= 0) return group_->CpuSeconds();
  if (status_.exited) return CpuSeconds(status_.usage);
  double sum = CpuSecondsOf(pid_);
  if (!paused_.empty()) {
    for (const int pid : paused_) sum += CpuSecondsOf(pid);
    return sum;
  }
  for (const ProcessEntry& entry : descendants(pid_)) {
    if (entry.alive()) sum += CpuSecondsOf(entry.pid);
  }
  return sum;
}

std::string ChildProcess::output_tail(std::size_t limit) {
  read_output();
  return one_line_tail(tail_, limit);
}

const std::string& ChildProcess::standard_output() {
  read_output();
  return stdout_text_;
}

}  // namespace perfgate::inline base
