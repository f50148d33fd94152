// SPDX-License-Identifier: Apache-2.0
// perfgate bisect on a repository whose commits name the executable that they build.
#include "perfgate/evidence/bisect/bisect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "tests/perfgate/cli/run_perfgate.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_command::code;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using Words = std::vector<std::string>;

class BisectCommand : public testing::Test {
 protected:
  void SetUp() override {
    Git("git init -q . && git config user.email a@b && git config user.name c");
  }

  std::string Git(const std::string& line) const {
    const Finished finished =
        testing_command::run_program("/bin/sh", {"-c", "cd '" + folder_.path() + "' && " + line});
    EXPECT_EQ(finished.exit_code, 0) << line << finished.err;
    return finished.out.substr(0, finished.out.find('\n'));
  }

  // Commits of what their builds copy, oldest first; "broken" does not build.
  void Commits(const Words& executables) {
    for (std::size_t i = 0; i < executables.size(); ++i) {
      testing_command::write_text(folder_ / "which", executables[i] + "\n" + std::to_string(i));
      Git("git add which && git commit -q -m 'change " + std::to_string(i) + "'");
      commits_.push_back(Git("git rev-parse HEAD"));
    }
  }

  testing_command::Command Command(const Words& more) const {
    testing_command::Command command;
    // perfgate asks the repository of the current folder.
    command.arguments = {"/bin/sh",      "-c",         "cd \"$0\" && exec \"$@\"",
                         folder_.path(), PERFGATE_EXE, "bisect"};
    command.arguments.insert(command.arguments.end(), more.begin(), more.end());
    command.deadline_s = 300;
    return command;
  }

  Words Usual(const Words& more = {}) const {
    Words words = {commits_.front(), commits_.back(),
                   "--build",        "cp \"$(head -n 1 which)\" bench",
                   "--executable",   "bench",
                   "--slice",        "2ms",
                   "--filter",       "case:[67]$",
                   "--rounds",       "10",
                   "--json",         folder_ / "found.json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Finished Run(const Words& more = {}) const {
    return testing_command::run_command(Command(Usual(more)));
  }

  Bisection Found() const { return read_bisection(folder_ / "found.json"); }

  TemporaryFolder folder_;
  Words commits_;
};

TEST_F(BisectCommand, FindsTheCommit) {
  Commits({FAST_EXE, FAST_EXE, FAST_EXE, FAST_EXE, SLOW_EXE, SLOW_EXE, SLOW_EXE});
  const Finished finished = Run();
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("change 4 made fleet/case:7 slower"));
  const Bisection found = Found();
  EXPECT_EQ(found.first_bad, commits_[4]);
  EXPECT_EQ(found.case_name, "fleet/case:7");
  EXPECT_NEAR(found.tolerance, 0.118, 0.02);
  EXPECT_EQ(found.commits[5].answer == BisectAnswer::kOpen ||
                found.commits[5].answer == BisectAnswer::kBad,
            true);
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".cache/perfgate/bisect/checkout"));
  EXPECT_EQ(Git("git worktree list | wc -l"), "1");
  // Whole already: shown, and nothing is built.
  const Finished again = Run();
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, testing::Not(HasSubstr("building")));
}

TEST_F(BisectCommand, StepsAroundWhatCannotBeBuiltOrRun) {
  Commits({FAST_EXE, FAST_EXE, "broken", CRASH_EXE, SLOW_EXE, SLOW_EXE});
  // In this one the crash is in another case: it can be judged.
  const Finished finished = Run();
  EXPECT_EQ(finished.exit_code, code(Exit::kInconclusive)) << finished.out << finished.err;
  const Bisection found = Found();
  EXPECT_EQ(found.first_bad, "");
  EXPECT_EQ(found.commits[2].answer, BisectAnswer::kSkipped);
  EXPECT_THAT(found.commits[2].reason, HasSubstr("cannot be built"));
  EXPECT_EQ(found.commits[3].answer, BisectAnswer::kBad);
  EXPECT_THAT(found.conclusion, HasSubstr("one of 2 commits"));
}

TEST_F(BisectCommand, GoesOnAfterItWasKilled) {
  Commits({FAST_EXE, FAST_EXE, FAST_EXE, FAST_EXE, FAST_EXE, SLOW_EXE, SLOW_EXE, SLOW_EXE});
  const std::string state = folder_ / "state.json";
  testing_command::Command command = Command(Usual({"--state", state}));
  bool killed = false;
  command.meanwhile = [&](pid_t process, const Finished&) {
    if (killed || !std::filesystem::exists(state)) return;
    if (read_bisection(state).case_name.empty()) return;
    killed = true;
    ::kill(process, SIGKILL);
  };
  testing_command::run_command(command);
  ASSERT_TRUE(killed);
  const Bisection begun = read_bisection(state);
  EXPECT_FALSE(begun.complete);
  const Finished finished = Run({"--state", state});
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("going on from"));
  EXPECT_EQ(Found().first_bad, commits_[5]);
  EXPECT_EQ(Found().commits.back().estimate, begun.commits.back().estimate)
      << "the first gate is not measured again";
  const Finished other = Run({"--state", state, "--rounds", "12"});
  EXPECT_EQ(other.exit_code, code(Exit::kUsage));
  EXPECT_THAT(other.err, HasSubstr("another bisection"));
}

TEST_F(BisectCommand, TakesExecutablesThatAreThere) {
  Commits({FAST_EXE, SLOW_EXE, SLOW_EXE});
  for (const std::string& commit : commits_) {
    std::filesystem::create_directories(folder_ / ("builds/" + commit));
    std::filesystem::copy_file(commit == commits_[0] ? FAST_EXE : SLOW_EXE,
                               folder_ / ("builds/" + commit + "/bench"));
  }
  const Finished finished = testing_command::run_command(
      Command({commits_[0], commits_[2], "--prebuilt", "builds/{commit}/bench", "--slice", "2ms",
               "--rounds", "10", "--case", "fleet/case:7", "--json", folder_ / "found.json"}));
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_EQ(Found().first_bad, commits_[1]);
  // One executable is known from another commit: measured once.
  EXPECT_THAT(Found().commits[1].reason, HasSubstr("the executable of"));
}

TEST_F(BisectCommand, NothingSlowerIsNothingFound) {
  Commits({FAST_EXE, FAST_EXE, FAST_EXE});
  const Finished same = Run();
  EXPECT_EQ(same.exit_code, code(Exit::kInconclusive)) << same.err;
  EXPECT_THAT(same.out, HasSubstr("nothing to look for"));
}

TEST_F(BisectCommand, RefusesWhatCannotBeBisected) {
  Commits({FAST_EXE, SLOW_EXE, "broken"});
  const auto expect = [&](const Words& words, Exit exit, const std::string& text) {
    const Finished finished = testing_command::run_command(Command(words));
    EXPECT_EQ(finished.exit_code, code(exit)) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(text));
  };
  const std::string good = commits_[0];
  const std::string bad = commits_[1];
  expect({}, Exit::kUsage, "GOOD");
  expect({good, bad}, Exit::kUsage, "--build CMD");
  expect({good, bad, "--build", "make"}, Exit::kUsage, "belong together");
  expect({good, bad, "--build", "make", "--executable", "/bin/true"}, Exit::kUsage, "relative");
  expect({good, bad, "--prebuilt", "bench"}, Exit::kUsage, "{commit}");
  expect({good, good, "--prebuilt", "{commit}"}, Exit::kUsage, "one commit");
  expect({bad, good, "--prebuilt", "{commit}"}, Exit::kData, "does not lead to");
  expect({"nowhere", bad, "--prebuilt", "{commit}"}, Exit::kData, "nowhere");
  expect({good, bad, "--prebuilt", "b/{commit}"}, Exit::kFailed, "the good end");
  expect({good, commits_[2], "--build", "cp \"$(head -n 1 which)\" bench", "--executable", "bench"},
         Exit::kFailed, "the bad end");
  expect({good, bad, "--build", "sleep 60", "--executable", "bench", "--build-limit", "1s"},
         Exit::kFailed, "longer than its limit");
  expect({good, bad, "--build", "true", "--executable", "bench"}, Exit::kFailed, "bench");
}

}  // namespace
}  // namespace perfgate
