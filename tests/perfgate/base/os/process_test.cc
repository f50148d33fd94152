// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "perfgate/base/error.h"
#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/process_tree.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

using testing::HasSubstr;

SpawnOptions odd(std::vector<std::string> args) {
  SpawnOptions options;
  options.path = fixture("odd_program");
  options.args = std::move(args);
  return options;
}

bool is_zombie(int pid) {
  for (const ProcessEntry& entry : descendants(::getpid())) {
    if (entry.pid == pid) return entry.state == 'Z';
  }
  return false;
}

bool exists(int pid) { return ::kill(pid, 0) == 0; }

void wait_until_ready(ChildProcess& child) {
  const Deadline deadline = Deadline::in(kPatience);
  while (child.output_tail() != "ready" && !deadline.passed()) sleep_for(0.001);
}

std::vector<int> wait_for_leftovers(const ChildProcess& child, std::size_t count) {
  const Deadline deadline = Deadline::in(kPatience);
  std::vector<int> leftovers;
  while ((leftovers = child.leftovers()).size() < count && !deadline.passed()) sleep_for(0.001);
  return leftovers;
}

TEST(Process, ReportsHowItEnded) {
  ChildProcess good(odd({"exit", "0"}));
  ASSERT_TRUE(good.wait_exit(Deadline::in(kPatience)));
  EXPECT_TRUE(good.status().ok());
  ChildProcess bad(odd({"exit", "7"}));
  ASSERT_TRUE(bad.wait_exit(Deadline::in(kPatience)));
  EXPECT_EQ(bad.status().text(), "exited with code 7");
  ChildProcess crash(odd({"abort"}));
  ASSERT_TRUE(crash.wait_exit(Deadline::in(kPatience)));
  EXPECT_EQ(crash.status().text(), "killed by signal 6 (Aborted)");
  ChildProcess hanging(odd({"hang"}));
  EXPECT_FALSE(hanging.wait_exit(Deadline::in(0.01)));
  EXPECT_EQ(hanging.status().text(), "still running");
}

TEST(Process, ALimitOfMemoryEndsIt) {
  SpawnOptions options = odd({"eat"});
  options.memory_bytes = std::uint64_t{200} << 20;
  ChildProcess child(options);
  ASSERT_TRUE(child.wait_exit(Deadline::in(kPatience)));
  EXPECT_TRUE(child.status().out_of_memory) << child.status().text();
  // A crash far below the limit is one.
  options.args = {"abort"};
  ChildProcess crash(options);
  ASSERT_TRUE(crash.wait_exit(Deadline::in(kPatience)));
  EXPECT_EQ(crash.status().text(), "killed by signal 6 (Aborted)");
}

TEST(Process, TheChildSeesFixedConditions) {
  const int leak = ::open("/dev/null", O_RDONLY);  // without close-on-exec, as perfgate may inherit
  const ScopedVariable option("BENCHMARK_FILTER", "x");
  const ScopedVariable other("KEPT_VARIABLE", "x");
  const int cpu = current_affinity().back();
  for (const bool give : {false, true}) {
    SpawnOptions options = odd({"report"});
    options.cpus = {cpu};
    options.give_fd = give ? leak : -1;
    options.separate_stdout = true;
    ChildProcess child(options);
    ASSERT_TRUE(child.wait_exit(Deadline::in(kPatience)));
    EXPECT_EQ(child.standard_output(),
              std::string("fds 0 1 2") + (give ? " 3" : "") + "; cores " + std::to_string(cpu) +
                  "; core dump 0; leads 1; stdin 0; filter unset; home 1\n");
  }
  ::close(leak);
}

TEST(Process, FailedStartsSayWhy) {
  const auto why = [](const SpawnOptions& options) -> std::string {
    try {
      const ChildProcess child(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      return error.what();
    }
    return "it started";
  };
  const int before = open_descriptors();
  SpawnOptions options = odd({});
  options.path = "/does/not/exist";
  EXPECT_THAT(why(options), HasSubstr("No such file"));
  options.path = "/";
  EXPECT_THAT(why(options), HasSubstr("Permission denied"));
  options.path = "/proc/self/status";
  EXPECT_THAT(why(options), HasSubstr("Permission denied"));
  options = odd({});
  options.cpus = {4000};
  EXPECT_THAT(why(options), HasSubstr("cannot pin to core 4000"));
  options.cpus = {-1};
  EXPECT_THAT(why(options), HasSubstr("no core -1"));
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was left";
}

TEST(Process, AFloodOfOutputNeitherBlocksNorGrows) {
  ChildProcess child(odd({"flood"}));
  ASSERT_TRUE(child.wait_exit(Deadline::in(kPatience)));
  EXPECT_TRUE(child.status().ok()) << child.status().text();
  EXPECT_THAT(child.output_tail(40), HasSubstr("end of the flood"));
  EXPECT_LE(child.output_tail(40).size(), 43U);
  EXPECT_GT(child.output_tail(3000).size(), 2000U);
}

TEST(Process, SeparateOutputIsBounded) {
  SpawnOptions options = odd({"flood"});
  options.separate_stdout = true;
  ChildProcess child(options);
  ASSERT_TRUE(child.wait_exit(Deadline::in(kPatience)));
  EXPECT_EQ(child.standard_output().size(), kStdoutLimit);
  EXPECT_EQ(child.output_tail(), "end of the flood");
}

TEST(Process, KillsWhatIgnoresSignals) {
  int pid = 0;
  {
    ChildProcess child(odd({"ignore_term"}));
    pid = child.pid();
    wait_until_ready(child);
    ::kill(pid, SIGTERM);
    EXPECT_FALSE(child.wait_exit(Deadline::in(0.01)));
  }
  EXPECT_FALSE(exists(pid));
}

TEST(Process, FindsAndKillsDescendantsWhereverTheyWent) {
  for (const char* how : {"child", "session", "cleared"}) {
    for (const bool stays : {true, false}) {
      SCOPED_TRACE(std::string(how) + (stays ? " beside" : " after"));
      ChildProcess child(stays ? odd({how, "stay"}) : odd({how}));
      if (stays) {
        wait_until_ready(child);
      } else {
        ASSERT_TRUE(child.wait_exit(Deadline::in(kPatience)));
      }
      const std::vector<int> leftovers = wait_for_leftovers(child, 1);
      ASSERT_EQ(leftovers.size(), 1U);
      EXPECT_TRUE(exists(leftovers[0]));
      if (stays) {
        child.kill_all();
      } else {
        EXPECT_EQ(child.kill_leftovers(0.01), 1);
        EXPECT_EQ(child.kill_leftovers(0.01), 0);
      }
      EXPECT_FALSE(exists(leftovers[0]));
      EXPECT_TRUE(child.leftovers().empty());
    }
  }
  EXPECT_TRUE(descendants(::getpid()).empty()) << "zombies were left";
}

TEST(Process, DescendantsBelongToTheirOwnLaunch) {
  ChildProcess first(odd({"session", "stay"}));
  ChildProcess second(odd({"session", "stay"}));
  wait_until_ready(first);
  wait_until_ready(second);
  const std::vector<int> leftovers = wait_for_leftovers(first, 1);
  const std::vector<int> others = wait_for_leftovers(second, 1);
  ASSERT_EQ(leftovers.size(), 1U);
  ASSERT_EQ(others.size(), 1U);
  first.kill_all();
  EXPECT_FALSE(exists(leftovers[0]));
  EXPECT_TRUE(exists(others[0]));
  EXPECT_EQ(second.leftovers(), others);
  EXPECT_FALSE(second.wait_exit(Deadline::in(0.01)));
}

// Several at once: the end of one must not take the status of another that is not waited for
// yet.
TEST(Process, EveryMainProcessKeepsItsOwnStatus) {
  ChildProcess first(odd({"exit", "7"}));
  ChildProcess second(odd({"exit", "8"}));
  const Deadline deadline = Deadline::in(kPatience);
  while (!is_zombie(second.pid()) && !deadline.passed()) sleep_for(0.001);
  ASSERT_TRUE(first.wait_exit(Deadline::in(kPatience)));
  first.kill_all();
  ASSERT_TRUE(second.wait_exit(Deadline::in(kPatience)));
  EXPECT_EQ(first.status().code, 7);
  EXPECT_EQ(second.status().code, 8);
}

TEST(Process, AQuietChildLeavesNothing) {
  ChildProcess child(odd({"exit", "0"}));
  ASSERT_TRUE(child.wait_exit(Deadline::in(kPatience)));
  EXPECT_EQ(child.kill_leftovers(kPatience), 0);
}

TEST(Process, CpuTimeIsSeenAndStopsWhenPaused) {
  ChildProcess child(odd({"spin"}));
  const Deadline deadline = Deadline::in(kPatience);
  while (child.cpu_seconds() < 0.02 && !deadline.passed()) sleep_for(0.001);
  EXPECT_GE(child.cpu_seconds(), 0.02);
  child.pause();
  const double stopped = child.cpu_seconds();
  sleep_for(0.03);
  EXPECT_EQ(child.cpu_seconds(), stopped);
  child.resume();
  while (child.cpu_seconds() <= stopped && !deadline.passed()) sleep_for(0.001);
  EXPECT_GT(child.cpu_seconds(), stopped);
  child.kill_all();
  EXPECT_GE(child.cpu_seconds(), stopped * 0.5) << "the account outlives the process";
}

TEST(Process, AnIdleChildUsesNoCpu) {
  ChildProcess child(odd({"hang"}));
  sleep_for(0.02);
  const double before = child.cpu_seconds();
  sleep_for(0.02);
  EXPECT_EQ(child.cpu_seconds(), before);
}

TEST(Process, PinMovesARunningChild) {
  const std::vector<int> allowed = current_affinity();
  ChildProcess child(odd({"hang"}));
  child.pin(std::array{allowed.back()});
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(child.pid(), sizeof set, &set), 0);
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT_TRUE(CPU_ISSET(allowed.back(), &set));
}

TEST(Process, InterruptionEndsAWait) {
  const InterruptScope scope;
  int pid = 0;
  {
    ChildProcess child(odd({"hang"}));
    pid = child.pid();
    ::raise(SIGINT);
    EXPECT_THROW(child.wait_exit(Deadline::in(kPatience)), Interrupted);
  }
  EXPECT_FALSE(exists(pid));
}

// perfgate killed with SIGKILL must leave no child that goes on working.
TEST(Process, DiesWithItsParent) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    const ChildProcess child(odd({"hang"}));
    const int pid = child.pid();
    if (::write(ends[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
    for (;;) ::pause();
  }
  int child = 0;
  ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  EXPECT_TRUE(exists(child));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  // This process is a subreaper, so that the orphan comes here.
  const Deadline deadline = Deadline::in(kPatience);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0 && !deadline.passed()) sleep_for(0.001);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Process, ManyRunsLeakNothing) {
  const int before = open_descriptors();
  for (int i = 0; i < 30; ++i) {
    SpawnOptions options = odd({"exit", "0"});
    options.separate_stdout = i % 2 == 0;
    ChildProcess child(options);
    if (i % 3 != 0) child.wait_exit(Deadline::in(kPatience));
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_TRUE(descendants(::getpid()).empty());
}

}  // namespace
}  // namespace perfgate::measure
