// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/os/child_environment.h"
#include "perfgate/base/os/entropy.h"
#include "perfgate/base/os/process_tree.h"
#include "perfgate/base/os/system_reason.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/join.h"

namespace perfgate::inline base {
namespace {

constexpr double kExecLimitS = 60;

// Descriptors below this are rearranged in the child; ours are kept above it.
constexpr int kFirstFreeFd = 10;

enum class Step : int { kNone, kGroup, kStdin, kStdout, kPin, kExec };

struct ChildFailure {
  Step step = Step::kNone;
  int error = 0;
};

// All that the child needs, made before the fork: between fork and exec only async-signal-safe
// calls are allowed.
struct ChildPlan {
  const char* path = nullptr;
  const char* input = nullptr;
  const char* output = nullptr;  // none: stdout_fd
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  const cpu_set_t* cpus = nullptr;
  std::size_t cpus_bytes = 0;
  int nice = 0;
  rlim_t memory_bytes = RLIM_INFINITY;
  const char* group = nullptr;  // file of the members of its group; none: ours
  int parent = 0;
  int stdout_fd = -1;
  int stderr_fd = -1;
  int give_fd = -1;
  const int* wrapper_fds = nullptr;
  int wrapper_fd_count = 0;
  int report_fd = -1;
  int descriptor_limit = 0;
};

[[noreturn]] void fail(const ChildPlan& plan, Step step) {
  const ChildFailure failure{step, errno};
  const ssize_t written = ::write(plan.report_fd, &failure, sizeof failure);
  static_cast<void>(written);
  ::_exit(127);
}

void close_on_exec_from(int first, int limit) {
#ifdef SYS_close_range
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC, Linux 5.11
  if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, kCloseOnExec) == 0) return;
#endif
  for (int fd = first; fd < limit; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// Where the kernel schedules by session ("autogroup"), nice values only count inside one, and the
// session as a whole has a nice value of its own. The arm is the leader of its session.
void raise_priority(int nice) {
  if (::setpriority(PRIO_PROCESS, 0, nice) != 0) return;
  const int group = ::open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (group < 0) return;
  char text[8];
  std::size_t length = 0;
  if (nice < 0) text[length++] = '-';
  const int size = nice < 0 ? -nice : nice;
  if (size >= 10) text[length++] = static_cast<char>('0' + size / 10);
  text[length++] = static_cast<char>('0' + size % 10);
  if (::write(group, text, length) < 0) {
    // Not permitted: the nice value inside the session is all there is.
  }
  ::close(group);
}

bool join_group(const char* members_file) {
  const int members = ::open(members_file, O_WRONLY | O_CLOEXEC);
  return members >= 0 && ::write(members, "0", 1) == 1;
}

[[noreturn]] void run_child(const ChildPlan& plan) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != plan.parent) ::_exit(127);  // the parent died before the line above
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  if (plan.group != nullptr && !join_group(plan.group)) fail(plan, Step::kGroup);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlimit memory{plan.memory_bytes, plan.memory_bytes};
  if (plan.memory_bytes != RLIM_INFINITY) ::setrlimit(RLIMIT_DATA, &memory);
  if (plan.nice != 0) raise_priority(plan.nice);
  if (plan.cpus != nullptr && ::sched_setaffinity(0, plan.cpus_bytes, plan.cpus) != 0) {
    fail(plan, Step::kPin);
  }
  const int input = ::open(plan.input, O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (input < 0 || ::dup2(input, 0) < 0) fail(plan, Step::kStdin);
  if (input == 0) ::fcntl(0, F_SETFD, 0);
  int output = plan.stdout_fd;
  if (plan.output != nullptr) {
    output = ::open(plan.output, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
    if (output < 0) fail(plan, Step::kStdout);
  }
  ::dup2(output, 1);
  ::dup2(plan.stderr_fd, 2);
  close_on_exec_from(kGivenFd, plan.descriptor_limit);
  if (plan.give_fd >= 0) ::dup2(plan.give_fd, kGivenFd);
  for (int i = 0; i < plan.wrapper_fd_count; ++i) ::dup2(plan.wrapper_fds[i], kWrapperFd + i);
  ::execve(plan.path, plan.argv, plan.environment);
  fail(plan, Step::kExec);
}

[[noreturn]] void cannot_start(const SpawnOptions& options, const std::string& why) {
  throw Error(Exit::kData, "cannot start " + options.path + ": " + why);
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

UniqueFd lifted(const SpawnOptions& options, int fd) {
  UniqueFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, kFirstFreeFd));
  if (!copy) cannot_start(options, "no free file descriptor: " + SystemReason(errno));
  return copy;
}

Pipe make_pipe(const SpawnOptions& options) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    cannot_start(options, "no pipe: " + SystemReason(errno));
  }
  const UniqueFd read(ends[0]);
  const UniqueFd write(ends[1]);
  return {lifted(options, read.get()), lifted(options, write.get())};
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::string new_launch_id() { return Hex(system_entropy()); }

std::string explain(const SpawnOptions& options, const ChildFailure& failure) {
  switch (failure.step) {
    case Step::kGroup:
      return "cannot join its control group: " + SystemReason(failure.error);
    case Step::kPin:
      return "cannot pin to core " + Join(options.cpus, ",") + ": " + SystemReason(failure.error);
    case Step::kStdin:
      return "cannot read " + options.input + ": " + SystemReason(failure.error);
    case Step::kStdout:
      return "cannot write to " + options.output + ": " + SystemReason(failure.error);
    default:
      break;
  }
  if (failure.error == ENOEXEC) {
    return "not a program for this machine (" + SystemReason(failure.error) + ")";
  }
  const bool missing = failure.error == ENOENT;
  return SystemReason(failure.error) +
         (missing ? " (the file, or the interpreter that it names, does not exist)" : "");
}

int fork_child(const SpawnOptions& options, const ChildPlan& plan) {
  // No handler of ours may run in the child: it would write to descriptors that it shares with us.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = 0;
  const int pid = StartMain([&] {
    const pid_t forked = ::fork();
    if (forked == 0) run_child(plan);
    error = errno;
    return static_cast<int>(forked);
  });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) cannot_start(options, "fork failed: " + SystemReason(error));
  return pid;
}

}  // namespace

Spawned spawn(const SpawnOptions& options) {
  become_subreaper();
  Spawned spawned;
  spawned.launch_id = new_launch_id();
  Pipe output = make_pipe(options);
  Pipe report = make_pipe(options);
  Pipe separate;
  if (options.separate_stdout) separate = make_pipe(options);
  UniqueFd give;
  if (options.give_fd >= 0) give = lifted(options, options.give_fd);

  std::vector<UniqueFd> wrapper_files;
  std::vector<int> wrapper_fds;
  for (const auto& file : options.wrapper.files) {
    wrapper_files.push_back(lifted(options, file->get()));
    wrapper_fds.push_back(wrapper_files.back().get());
  }

  std::vector<std::string> arguments = options.wrapper.words;
  arguments.push_back(options.path);
  arguments.insert(arguments.end(), options.args.begin(), options.args.end());
  std::vector<std::string> variables = ChildEnvironment(options, spawned.launch_id);
  std::vector<char*> argv = pointers(arguments);
  std::vector<char*> environment = pointers(variables);
  std::vector<cpu_set_t> cpus;
  if (!options.cpus.empty()) {
    cpus.resize(8);  // 8192 cores
    for (const int cpu : options.cpus) {
      if (cpu < 0 || cpu >= static_cast<int>(cpus.size()) * CPU_SETSIZE) {
        cannot_start(options, "there is no core " + std::to_string(cpu));
      }
      CPU_SET_S(static_cast<std::size_t>(cpu), cpus.size() * sizeof(cpu_set_t), cpus.data());
    }
  }
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);

  ChildPlan plan;
  plan.path = arguments.front().c_str();
  plan.input = options.input.c_str();
  plan.output = options.output.empty() ? nullptr : options.output.c_str();
  plan.argv = argv.data();
  plan.environment = environment.data();
  plan.cpus = cpus.empty() ? nullptr : cpus.data();
  plan.cpus_bytes = cpus.size() * sizeof(cpu_set_t);
  plan.nice = options.nice;
  if (options.memory_bytes > 0) plan.memory_bytes = options.memory_bytes;
  plan.group = options.group ? options.group->members_file().c_str() : nullptr;
  plan.parent = ::getpid();
  plan.stdout_fd = options.separate_stdout ? separate.write.get() : output.write.get();
  plan.stderr_fd = options.share_stderr ? STDERR_FILENO : output.write.get();
  plan.give_fd = give.get();
  plan.wrapper_fds = wrapper_fds.data();
  plan.wrapper_fd_count = static_cast<int>(wrapper_fds.size());
  plan.report_fd = report.write.get();
  plan.descriptor_limit =
      descriptors.rlim_cur < 65536 ? static_cast<int>(descriptors.rlim_cur) : 65536;
  spawned.pid = fork_child(options, plan);
  report.write.reset();
  output.write.reset();
  separate.write.reset();

  pollfd wait{report.read.get(), POLLIN, 0};
  ChildFailure failure;
  const bool answered = wait_ready({&wait, 1}, Deadline::in(kExecLimitS), OnInterrupt::kIgnore);
  const ssize_t got = answered ? ::read(report.read.get(), &failure, sizeof failure) : -1;
  if (got != 0) {  // 0: the descriptor was closed by a successful exec
    ::kill(spawned.pid, SIGKILL);
    ::waitpid(spawned.pid, nullptr, 0);
    ForgetMain(spawned.pid);
    if (got != sizeof failure) cannot_start(options, "not executed within 60 s");
    cannot_start(options, explain(options, failure));
  }
  ::fcntl(output.read.get(), F_SETFL, O_NONBLOCK);
  spawned.output = std::move(output.read);
  if (options.separate_stdout) {
    ::fcntl(separate.read.get(), F_SETFL, O_NONBLOCK);
    spawned.standard_output = std::move(separate.read);
  }
  return spawned;
}

}  // namespace perfgate::inline base
