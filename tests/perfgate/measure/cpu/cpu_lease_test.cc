// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/cpu/cpu_lease.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/measure/cpu/core_lock.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

class CpuLeaseTest : public testing::Test {
 public:
  CpuLeaseTest() {
    options_.lock_folder = folder_.path();
    options_.watch_s = 0.01;
    options_.wait_s = 0.01;
  }
  CpuLeaseTest(const CpuLeaseTest&) = delete;
  CpuLeaseTest& operator=(const CpuLeaseTest&) = delete;

 protected:
  // Whoever opens the lock file anew competes, also within one process.
  CoreLock hold(int cpu) { return try_core_lock(folder_.path(), cpu); }

  PrivateFolder folder_{"perfgate-test-"};
  LeaseOptions options_;
};

std::string message_of(Exit exit, const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), exit) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST_F(CpuLeaseTest, LeasesDistinctAllowedCoresAndLocksThem) {
  const std::vector<int> allowed = allowed_cpus();
  ASSERT_FALSE(allowed.empty());
  for (std::size_t count = 1; count <= allowed.size(); ++count) {
    const CpuLease lease = lease_cpus(static_cast<int>(count), {}, options_);
    EXPECT_TRUE(lease.can_pin());
    ASSERT_EQ(lease.cpus.size(), count);
    EXPECT_TRUE(std::is_sorted(lease.cpus.begin(), lease.cpus.end()));
    EXPECT_EQ(std::adjacent_find(lease.cpus.begin(), lease.cpus.end()), lease.cpus.end());
    EXPECT_GE(lease.busy_share, 0);
    EXPECT_LE(lease.busy_share, 1);
    for (const int cpu : lease.cpus) {
      EXPECT_NE(std::find(allowed.begin(), allowed.end(), cpu), allowed.end());
      const CoreLock other = hold(cpu);
      EXPECT_EQ(other.state, CoreLock::State::kBusy);
      EXPECT_NE(other.holder.find(std::to_string(::getpid())), std::string::npos) << other.holder;
    }
  }
  for (const int cpu : allowed) EXPECT_EQ(hold(cpu).state, CoreLock::State::kHeld);
}

TEST_F(CpuLeaseTest, AvoidsCoresOfOtherGates) {
  const std::vector<int> allowed = allowed_cpus();
  if (allowed.size() < 2) GTEST_SKIP() << "one core";
  std::vector<CoreLock> others;
  for (std::size_t i = 0; i + 1 < allowed.size(); ++i) others.push_back(hold(allowed[i]));
  EXPECT_EQ(lease_cpus(1, {}, options_).cpus, std::vector<int>{allowed.back()});
}

TEST_F(CpuLeaseTest, WaitsForOthersThenGivesUp) {
  std::vector<CoreLock> others;
  for (const int cpu : allowed_cpus()) others.push_back(hold(cpu));
  std::vector<std::string> messages;
  options_.message = [&](const std::string& text) { messages.push_back(text); };
  const std::string why = message_of(Exit::kNotComparable, [&] { lease_cpus(1, {}, options_); });
  EXPECT_NE(why.find("process " + std::to_string(::getpid())), std::string::npos) << why;
  EXPECT_EQ(messages.size(), 1U);

  options_.wait_s = kPatience;
  options_.message = [&](const std::string&) { others.clear(); };
  EXPECT_EQ(lease_cpus(1, {}, options_).cpus.size(), 1U);
}

TEST_F(CpuLeaseTest, WaitingEndsWithAnInterruption) {
  const InterruptScope scope;
  std::vector<CoreLock> others;
  for (const int cpu : allowed_cpus()) others.push_back(hold(cpu));
  options_.wait_s = kPatience;
  options_.message = [](const std::string&) { ::raise(SIGINT); };
  EXPECT_THROW(lease_cpus(1, {}, options_), Interrupted);
}

TEST_F(CpuLeaseTest, RequestedCoresAreTakenOrRefusedWithAReason) {
  const std::vector<int> allowed = allowed_cpus();
  EXPECT_EQ(lease_cpus(1, {allowed.front()}, options_).cpus, std::vector<int>{allowed.front()});
  {
    const CoreLock other = hold(allowed.front());
    const std::string why =
        message_of(Exit::kUsage, [&] { lease_cpus(1, {allowed.front()}, options_); });
    EXPECT_NE(why.find("process " + std::to_string(::getpid())), std::string::npos) << why;
  }
  message_of(Exit::kUsage, [&] { lease_cpus(1, {8000}, options_); });
  message_of(Exit::kUsage, [&] { lease_cpus(1, {-1}, options_); });
  message_of(Exit::kUsage, [&] { lease_cpus(0, {}, options_); });
  message_of(Exit::kUsage, [&] { lease_cpus(2, {allowed.front()}, options_); });
  message_of(Exit::kUsage, [&] { lease_cpus(1, {allowed.front(), allowed.front()}, options_); });
}

TEST_F(CpuLeaseTest, MoreThanThereAreGivesAllAndWarns) {
  const std::vector<int> allowed = allowed_cpus();
  const CpuLease lease = lease_cpus(static_cast<int>(allowed.size()) + 1, {}, options_);
  EXPECT_EQ(lease.cpus, allowed);
  EXPECT_FALSE(lease.warnings.empty());
}

TEST_F(CpuLeaseTest, GoesOnWithoutALockFolder) {
  options_.lock_folder = "/proc/no/such/folder";
  const CpuLease lease = lease_cpus(1, {}, options_);
  EXPECT_EQ(lease.cpus.size(), 1U);
  EXPECT_TRUE(lease.locks.empty());
  const bool warned = std::any_of(
      lease.warnings.begin(), lease.warnings.end(),
      [](const std::string& text) { return text.find("lock file") != std::string::npos; });
  EXPECT_TRUE(warned);
}

TEST_F(CpuLeaseTest, LockFilesAreForAllUsersAndNoLinksAreFollowed) {
  EXPECT_EQ(hold(0).state, CoreLock::State::kHeld);
  struct stat status {};
  ASSERT_EQ(::stat(folder_.file("perfgate-cpu0.lock").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0666U);
  const std::string victim = folder_.file("victim");
  ASSERT_EQ(::symlink(victim.c_str(), folder_.file("perfgate-cpu1.lock").c_str()), 0);
  EXPECT_EQ(hold(1).state, CoreLock::State::kUnavailable);
  EXPECT_FALSE(std::filesystem::exists(victim));
  std::filesystem::create_directory(folder_.file("perfgate-cpu2.lock"));
  EXPECT_EQ(hold(2).state, CoreLock::State::kUnavailable);
}

TEST_F(CpuLeaseTest, AMovedLeaseKeepsItsLocks) {
  CpuLease first = lease_cpus(1, {}, options_);
  const int cpu = first.cpus.front();
  const CpuLease second = std::move(first);
  EXPECT_EQ(hold(cpu).state, CoreLock::State::kBusy);
}

TEST_F(CpuLeaseTest, SelfMovesOffAndBackWithAllThreads) {
  const std::vector<int> before = current_affinity();
  if (before.size() < 2) GTEST_SKIP() << "one core";
  std::vector<int> seen_by_thread;
  std::thread other;
  {
    const SelfAffinity away({before.front()});
    EXPECT_TRUE(away.moved());
    const std::vector<int> now = current_affinity();
    EXPECT_EQ(now, std::vector<int>(before.begin() + 1, before.end()));
    std::thread([&] { seen_by_thread = current_affinity(); }).join();
    EXPECT_EQ(seen_by_thread, now);
  }
  EXPECT_EQ(current_affinity(), before);
  const SelfAffinity nowhere(before);
  EXPECT_FALSE(nowhere.moved()) << "no other core is left";
  EXPECT_EQ(current_affinity(), before);
}

}  // namespace
}  // namespace perfgate::measure
