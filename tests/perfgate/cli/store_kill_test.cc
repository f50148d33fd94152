// SPDX-License-Identifier: Apache-2.0
// `baseline record` killed at random moments, and eight recorders at once: whatever was reported as
// recorded stays, and the baseline can always be read.
//
//   test_cli --only=store_kill_test.cc [--kills=20]
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <string_view>
#include <thread>

#include "perfgate/store/baseline_store.h"
#include "perfgate/store/hash_chain.h"
#include "perfgate/store/ledger.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using testing_command::Command;
using testing_command::TemporaryFolder;

// --kills=500 asks for more.
int Kills() {
  const std::string asked = test_support::OptionValue("--kills");
  return asked.empty() ? 20 : std::atoi(asked.c_str());
}

std::vector<std::string> record_arguments(const std::string& store) {
  return {PERFGATE_EXE, "baseline",
          "record",     QUICK_EXE,
          "--suite",    "quick",
          "--store",    store,
          "--cache",    store + ".cache",
          "--commit",   std::string(40, 'a'),
          "--rounds",   "1",
          "--slice",    "1ms",
          "--pairs",    "1",
          "--gap",      "0s"};
}

// Starts it in a process group of its own and kills the group after so long. True when it had ended
// by itself with this exit code.
bool start_and_kill(std::vector<std::string> arguments, std::chrono::microseconds after,
                    int exit_code) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
    execv(argv[0], argv.data());
    _exit(127);
  }
  setpgid(child, child);
  std::this_thread::sleep_for(after);
  kill(-child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == exit_code;
}

std::size_t sessions_in(const std::string& store) {
  if (access(store.c_str(), F_OK) != 0) return 0;
  const auto suites = store::list_suites(store);
  return suites.empty() ? 0 : store::read_baseline(suites.at(0)).sessions.size();
}

std::chrono::microseconds part_of(double wall_s, double share) {
  return std::chrono::microseconds(static_cast<long>(1e6 * share * wall_s));
}

TEST(StoreKill, WhatWasRecordedStays) {
  const TemporaryFolder folder;
  const std::string store = folder / "baselines";
  Command command;
  command.arguments = record_arguments(store);
  const testing_command::Finished whole = run_command(command);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  std::mt19937_64 random(1);
  // Over the whole run, and half of the time near its end, where the files are written.
  std::uniform_real_distribution<double> anywhere(0.0, 1.05);
  std::uniform_real_distribution<double> late(0.8, 1.05);
  std::size_t before = sessions_in(store);
  ASSERT_EQ(before, 1U);
  int finished = 0;
  const int kills = Kills();
  for (int i = 0; i < kills; ++i) {
    const double share = i % 2 == 0 ? anywhere(random) : late(random);
    const bool ended = start_and_kill(record_arguments(store), part_of(whole.wall_s, share), 0);
    finished += ended ? 1 : 0;
    const std::size_t after = sessions_in(store);  // throws where the baseline is broken
    ASSERT_GE(after, before + (ended ? 1U : 0U)) << "a session was lost";
    ASSERT_LE(after, before + 1);
    before = after;
  }
  std::printf("%d recordings killed, %d of them too late; %zu sessions are left\n", kills, finished,
              before);
  command.arguments = record_arguments(store);
  EXPECT_EQ(run_command(command).exit_code, 0);
  EXPECT_EQ(sessions_in(store), before + 1);
}

// Every attempt that ended is in the ledger, and its session can be read; one that was killed is an
// attempt that never ended.
TEST(StoreKill, AnAttemptThatEndedStays) {
  const TemporaryFolder folder;
  const std::string ledger = folder / "attempts";
  Command command;
  command.arguments = {PERFGATE_EXE, "gate",     "--baseline", QUICK_EXE,  "--candidate",
                       SINGLE_EXE,   "--ledger", ledger,       "--rounds", "6",
                       "--slice",    "1ms",      "--pairs",    "1"};
  const testing_command::Finished whole = run_command(command);
  ASSERT_EQ(whole.exit_code, 13) << whole.err;  // the candidate lacks a case, so none is final
  const auto suite = store::read_chain(ledger + "/ledger.jsonl").entries.at(0).body;
  const store::Pair pair{suite.at("suite"), suite.at("baseline"), suite.at("candidate")};
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> anywhere(0.0, 1.05);
  std::size_t ended_before = 1;
  const int kills = Kills();
  for (int i = 0; i < kills; ++i) {
    const bool ended =
        start_and_kill(command.arguments, part_of(whole.wall_s, anywhere(random)), 13);
    const store::History history = store::read_history(ledger, pair);
    std::size_t ended_now = 0;
    for (const store::Attempt& attempt : history.attempts) {
      if (!attempt.exit) continue;
      ++ended_now;
      if (!attempt.session_digest.empty()) store::read_attempt(ledger, attempt);
    }
    ASSERT_GE(ended_now, ended_before + (ended ? 1U : 0U)) << "an attempt was lost";
    ended_before = ended_now;
  }
  std::printf("%d gates killed; %zu attempts ended\n", kills, ended_before);
}

TEST(StoreKill, EightRecordersAtOnce) {
  const TemporaryFolder folder;
  const std::string store = folder / "baselines";
  std::vector<std::thread> recorders;
  std::vector<int> exits(8, -1);
  for (std::size_t i = 0; i < exits.size(); ++i) {
    recorders.emplace_back([&, i] {
      Command command;
      command.arguments = record_arguments(store);
      exits[i] = run_command(command).exit_code;
    });
  }
  for (std::thread& recorder : recorders) recorder.join();
  for (const int exit : exits) EXPECT_EQ(exit, 0);
  EXPECT_EQ(sessions_in(store), exits.size());
}

}  // namespace
}  // namespace perfgate
