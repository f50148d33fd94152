// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <memory>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/process.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

class Groups : public testing::Test {
 protected:
  void SetUp() override {
    if (parent_.folder.empty()) GTEST_SKIP() << parent_.why_not;
  }

  SpawnOptions InGroup(const std::string& script) const {
    SpawnOptions options;
    options.path = "/bin/sh";
    options.args = {"-c", script};
    options.group = group_;
    return options;
  }

  void Begin() { group_ = std::make_shared<const Cgroup>(parent_, CgroupLimits{}); }

  CgroupParent parent_ = FindCgroupParent();
  std::shared_ptr<const Cgroup> group_;
};

// Forges the mark by which descendants are known, leaves the session and is orphaned.
constexpr const char* kHidingLoop =
    "(PERFGATE_LAUNCH=0000000000000000 setsid sh -c 'while :; do :; done' &) ; sleep 0.2; echo "
    "ready; exec sleep 300";

TEST_F(Groups, KnowWhoHides) {
  Begin();
  ChildProcess child(InGroup(kHidingLoop));
  const Deadline deadline = Deadline::in(20);
  while (child.output_tail() != "ready" && !deadline.passed()) sleep_for(0.005);
  const std::vector<int> hidden = child.leftovers();
  ASSERT_EQ(hidden.size(), 1U);
  child.pause();
  const double before_s = child.cpu_seconds();
  sleep_for(0.05);
  EXPECT_LT(child.cpu_seconds() - before_s, 0.001);
  child.resume();
  child.kill_all();
  EXPECT_NE(::kill(hidden.front(), 0), 0);
}

TEST_F(Groups, EndWithTheirLastOwner) {
  Begin();
  const std::string members = group_->members_file();
  {
    ChildProcess child(InGroup("exec sleep 300"));
    EXPECT_EQ(group_->Members(), std::vector<int>{child.pid()});
    group_.reset();
    EXPECT_EQ(::access(members.c_str(), F_OK), 0);
  }
  EXPECT_NE(::access(members.c_str(), F_OK), 0);
}

TEST_F(Groups, CountThoseThatEnded) {
  Begin();
  ChildProcess child(
      InGroup("(i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done); exec sleep 300"));
  const Deadline deadline = Deadline::in(60);
  while (group_->CpuSeconds() < 0.01 && !deadline.passed()) sleep_for(0.005);
  EXPECT_GE(child.cpu_seconds(), 0.01);
}

// The files of a group that has all controllers, without a kernel behind them.
class OfferedGroups : public testing::Test {
 protected:
  OfferedGroups() {
    std::ofstream(folder_.file("cgroup.controllers")) << "cpu memory pids\n";
    std::ofstream(folder_.file("cgroup.procs")) << "1\n2\n";
    std::ofstream(folder_.file("cgroup.subtree_control")) << "";
  }

  PrivateFolder folder_{"perfgate-cgroup-test-"};
};

TEST_F(OfferedGroups, AreLimitedWhereTheParentLetsThem) {
  std::ofstream(folder_.file("cgroup.subtree_control")) << "memory pids";
  CgroupParent parent{.folder = folder_.path(), .limits_memory = true, .limits_processes = false};
  const Cgroup group(parent, {.memory_bytes = 1 << 30, .processes = 100});
  const std::string made = group.members_file().substr(0, group.members_file().rfind('/'));
  // Nothing can be written where the kernel has no such file, and nothing is said to be limited.
  EXPECT_NE(::access((made + "/pids.max").c_str(), F_OK), 0);
  std::ofstream(made + "/memory.events") << "low 0\noom_kill 1\n";
  EXPECT_TRUE(group.RanOutOfMemory());
  std::ofstream(made + "/cpu.stat") << "usage_usec 2500000\nuser_usec 1\n";
  EXPECT_DOUBLE_EQ(group.CpuSeconds(), 2.5);
  for (const char* file : {"/memory.events", "/cpu.stat"}) ::unlink((made + file).c_str());
}

TEST_F(OfferedGroups, SaysWhatIsMissing) {
  std::ofstream(folder_.file("cgroup.controllers")) << "cpu\n";
  const CgroupParent parent = CgroupParentAt(folder_.path());
  EXPECT_EQ(parent.folder, folder_.path());
  EXPECT_FALSE(parent.limits_memory);
  EXPECT_THAT(parent.why_not, HasSubstr("memory and pids are not offered"));
}

TEST_F(OfferedGroups, OfAnotherUserAreNotOurs) {
  const CgroupParent parent = CgroupParentAt("/proc/self");
  EXPECT_TRUE(parent.folder.empty());
  EXPECT_THAT(parent.why_not, HasSubstr("not this process's to divide"));
  EXPECT_THROW(Cgroup({.folder = "/proc/self"}, {}), Error);
}

}  // namespace
}  // namespace perfgate
