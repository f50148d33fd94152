// SPDX-License-Identifier: Apache-2.0
// What an isolated arm can see and do.
#include "perfgate/measure/isolation/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "tests/perfgate/measure/isolation/sandboxed.h"

namespace perfgate::measure {
namespace {

using testing::HasSubstr;
using testing::Not;

class Sandboxed : public SandboxedScripts {};

TEST_F(Sandboxed, RunsTheExecutableUnderANeutralName) {
  EXPECT_EQ(Says("echo \"started as $0\""), "started as /arm/1001/run.sh");
  EXPECT_TRUE(status_.ok());
}

TEST_F(Sandboxed, SeesNoOtherArm) {
  EXPECT_EQ(Says("ls " + ScriptOf(0) + " 2>/dev/null || echo gone"), "gone");
  EXPECT_EQ(Says("ls " + folder_.path()), "arm1");
}

TEST_F(Sandboxed, SeesNoOtherArmInAFolderThatItMayRead) {
  const IsolationRequest request{.use = IsolationUse::kBest, .read = {folder_.path()}};
  EXPECT_EQ(Says("cat " + ScriptOf(0) + " 2>/dev/null || echo refused", request), "refused");
}

TEST_F(Sandboxed, SeesNothingHidden) {
  const std::string key = folder_.file("key");
  std::ofstream(key) << "secret";
  const std::string body = "cat " + key + " 2>/dev/null || echo refused";
  EXPECT_EQ(Says(body, {.use = IsolationUse::kBest, .read = {folder_.path()}}), "secret");
  EXPECT_EQ(Says(body, {.use = IsolationUse::kBest, .read = {folder_.path()}, .hidden = {key}}),
            "refused");
}

TEST_F(Sandboxed, ReadsWhatItWasGivenAndNothingElse) {
  const std::string data = folder_.file("data.txt");
  std::ofstream(data) << "words";
  EXPECT_EQ(Says("cat " + data + " 2>/dev/null || echo none"), "none");
  EXPECT_EQ(Says("cat " + data, {.use = IsolationUse::kBest, .read = {data}}), "words");
}

TEST_F(Sandboxed, ChangesNoFileOutside) {
  const std::string file = folder_.file("data.txt");
  std::ofstream(file) << "words";
  const IsolationRequest request{.use = IsolationUse::kBest, .read = {folder_.path()}};
  EXPECT_EQ(Says("echo more 2>/dev/null > " + file + " || echo refused", request), "refused");
  EXPECT_EQ(Says("echo x 2>/dev/null > /usr/left-behind || echo refused"), "refused");
  EXPECT_EQ(Says("echo x 2>/dev/null > \"$0\" || echo refused"), "refused");
  EXPECT_EQ(Says("echo x > /tmp/perfgate-left-behind && echo written"), "written");
  EXPECT_FALSE(std::filesystem::exists("/tmp/perfgate-left-behind"));
}

// Settings of the kernel belong to everybody; root needs no capability to write them.
TEST_F(Sandboxed, MayWriteNoSettingOfTheSystem) {
  EXPECT_EQ(Says("find /proc /sys -writable ! -path '/proc/[0-9]*' ! -path '/proc/self/*' "
                 "! -path '/proc/thread-self/*' ! -type l 2>/dev/null | head -3; echo end"),
            "end");
}

TEST_F(Sandboxed, ReachesNoOtherProcess) {
  const std::string gate = std::to_string(::getpid());
  EXPECT_EQ(Says("kill -0 " + gate + " 2>/dev/null || echo none"), "none");
  EXPECT_EQ(Says("ls -d /proc/" + gate + " 2>/dev/null || echo none"), "none");
  // The first process belongs to the sandbox and names no folder of the gate.
  EXPECT_THAT(Says("tr '\\0' ' ' < /proc/1/cmdline"), Not(HasSubstr(folder_.path())));
}

TEST_F(Sandboxed, HasNoNetworkButItsOwn) {
  EXPECT_EQ(Says("grep -c : /proc/net/dev"), "1");  // the loopback device
}

TEST_F(Sandboxed, MakesNoNamespaces) {
  EXPECT_EQ(Says("unshare --user true 2>/dev/null || echo refused"), "refused");
  EXPECT_EQ(Says("unshare --mount true 2>/dev/null || echo refused"), "refused");
}

TEST_F(Sandboxed, GetsNoSecretsOfTheEnvironment) {
  ::setenv("PERFGATE_TEST_SECRET", "hush", 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_THAT(Says("env; tr '\\0' '\\n' < /proc/1/environ"), Not(HasSubstr("hush")));
  ::unsetenv("PERFGATE_TEST_SECRET");  // NOLINT(concurrency-mt-unsafe)
}

TEST_F(Sandboxed, TellsASignalFromAnExitCode) {
  Says("kill -SEGV $$");
  EXPECT_EQ(status_.signal, SIGSEGV);
  Says("exit 3");
  EXPECT_EQ(status_.code, 3);
  EXPECT_EQ(status_.signal, 0);
}

TEST_F(Sandboxed, WritesToTheFolderThatItWasGiven) {
  Write(0, "true");
  const std::string given = folder_.file("given");
  ::mkdir(given.c_str(), 0755);
  Write(1, "echo result > " + given + "/out");
  const Isolation isolation(abilities_, {.use = IsolationUse::kBest});
  ChildProcess child(Isolated(isolation, Arms(), {given}));
  ASSERT_TRUE(child.wait_exit(Deadline::in(20)));
  EXPECT_TRUE(std::filesystem::exists(given + "/out"));
}

TEST_F(Sandboxed, StopsItsDescendants) {
  Write(0, "true");
  Write(1, "env -i setsid sh -c 'while :; do :; done' & while :; do :; done");
  const Isolation isolation(abilities_, {.use = IsolationUse::kBest});
  ChildProcess child(Isolated(isolation, Arms()));
  const Deadline deadline = Deadline::in(20);
  // Neither the sandbox's own processes nor the script itself.
  while (child.leftovers().size() != 1 && !deadline.passed()) {
    sleep_for(0.01, OnInterrupt::kIgnore);
  }
  const std::vector<int> loops = child.leftovers();
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_NE(child.program(), child.pid());
  child.pause();
  const double before_s = child.cpu_seconds();
  sleep_for(0.05, OnInterrupt::kIgnore);
  EXPECT_LT(child.cpu_seconds() - before_s, 0.001);
  child.resume();
  while (child.cpu_seconds() - before_s < 0.01 && !deadline.passed()) {
    sleep_for(0.01, OnInterrupt::kIgnore);
  }
  EXPECT_GE(child.cpu_seconds() - before_s, 0.01);
  child.kill_all();
  EXPECT_NE(::kill(loops.front(), 0), 0);
}

TEST_F(Sandboxed, IsAccountedForWhatItUsed) {
  Write(0, "true");
  Write(1, "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
  const Isolation isolation(abilities_, {.use = IsolationUse::kBest});
  const auto used = [&](const SpawnOptions& options) {
    ChildProcess child(options);
    child.wait_exit(Deadline::in(60));
    child.kill_leftovers(1);
    child.kill_all();
    return child.cpu_seconds();
  };
  SpawnOptions plain;
  plain.path = ScriptOf(1);
  const double in_the_open = used(plain);
  EXPECT_GT(used(Isolated(isolation, Arms())), in_the_open / 2);
}

}  // namespace
}  // namespace perfgate::measure
