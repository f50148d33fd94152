// SPDX-License-Identifier: Apache-2.0
// Ended from outside in the middle of a measurement.
#include <gtest/gtest.h>

#include <csignal>

#include "perfgate/verdict/verdict_file.h"
#include "tests/hostile/hostile_gate.h"

namespace perfgate::hostile {
namespace {

using testing_command::Command;
using testing_command::Finished;

// Sends `signal` once, when the rounds have begun.
Command interrupted(const Workbench& bench, const std::string& a, const std::string& b,
                    int signal) {
  Command command = bench.command(a, b, {"--rounds", "4000"});
  command.meanwhile = [signal, sent = false](pid_t pid, const Finished& so_far) mutable {
    if (sent || so_far.err.find("round 6") == std::string::npos) return;
    sent = kill(pid, signal) == 0;
  };
  return command;
}

class Interruption : public testing::TestWithParam<std::tuple<int, Flavour>> {};

TEST_P(Interruption, KeepsWhatWasMeasuredAndLeavesNothingRunning) {
  const auto [signal, flavour] = GetParam();
  Workbench bench;
  const std::string a = bench.executable(flavour, "work");
  const std::string b = bench.executable(flavour, "slow_work");
  const Finished finished = run_command(interrupted(bench, a, b, signal));
  EXPECT_FALSE(finished.timed_out) << finished.err;
  EXPECT_EQ(finished.exit_code, 128 + signal) << finished.err;
  bench.expect_nothing_left();
  const Session session = read_session(bench.folder() / "session.json");
  EXPECT_FALSE(session.complete);
  EXPECT_FALSE(session.incomplete_reason.empty());
  EXPECT_GE(session.rounds.size(), 5U);
  const SuiteVerdict verdict = read_verdict(bench.folder() / "verdict.json");
  EXPECT_FALSE(verdict.complete);
  EXPECT_NE(verdict.exit, Exit::kPass);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interruption,
                         testing::Combine(testing::Values(SIGINT, SIGTERM),
                                          testing::Values(Flavour::kWorker, Flavour::kStock)));

TEST(Kill, LeavesNoProcessBehind) {
  for (const Flavour flavour : {Flavour::kWorker, Flavour::kStock}) {
    Workbench bench;
    const std::string a = bench.executable(flavour, "work");
    const std::string b = bench.executable(flavour, "slow_work");
    const Finished finished = run_command(interrupted(bench, a, b, SIGKILL));
    EXPECT_FALSE(finished.timed_out);
    EXPECT_EQ(finished.signal, SIGKILL);
    EXPECT_TRUE(bench.processes_left(5.0).empty());
  }
}

// Such an arm does not notice the end of its socket.
TEST(Kill, LeavesNoProcessBehindThatHangs) {
  for (const Flavour flavour : {Flavour::kWorker, Flavour::kStock}) {
    Workbench bench;
    Command command =
        bench.command(bench.executable(flavour, "sleep"), bench.executable(flavour, "none"));
    command.meanwhile = [sent = false, looks = 0](pid_t pid, const Finished& so_far) mutable {
      const bool started = so_far.err.find("listing") != std::string::npos;
      if (!sent && started && ++looks > 100) sent = kill(pid, SIGKILL) == 0;
    };
    const Finished finished = run_command(command);
    EXPECT_EQ(finished.signal, SIGKILL) << finished.err;
    EXPECT_TRUE(bench.processes_left(5.0).empty());
  }
}

TEST(Interrupt, WhileAnArmHangsWhileListingEndsAtOnce) {
  Workbench bench;
  Command command = bench.command(bench.executable(Flavour::kWorker, "hang_at_start"),
                                  bench.executable(Flavour::kWorker, "work"));
  command.meanwhile = [sent = false, looks = 0](pid_t pid, const Finished& so_far) mutable {
    const bool listing = so_far.err.find("listing") != std::string::npos;
    if (!sent && listing && ++looks > 20) sent = kill(pid, SIGINT) == 0;
  };
  const Finished finished = run_command(command);
  EXPECT_EQ(finished.exit_code, 128 + SIGINT) << finished.err;
  EXPECT_LT(finished.wall_s, 8);
  bench.expect_nothing_left();
}

}  // namespace
}  // namespace perfgate::hostile
