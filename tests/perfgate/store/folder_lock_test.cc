// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/folder_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "perfgate/base/error.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate::store {
namespace {

using sample::TemporaryFolder;

TEST(FolderLock, LeavesNoFile) {
  const TemporaryFolder folder;
  { const FolderLock lock(folder / "."); }
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(FolderLock, HoldsOthersOff) {
  const TemporaryFolder folder;
  const FolderLock lock(folder / ".");
  EXPECT_EQ(FolderLock::wait_for(folder / ".", 0), nullptr);
  try {
    const FolderLock second(folder / ".", 0);
    FAIL() << "two writers";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), testing::HasSubstr("another perfgate has been writing there"));
  }
}

TEST(FolderLock, EndsWithTheObject) {
  const TemporaryFolder folder;
  std::unique_ptr<FolderLock> lock = FolderLock::wait_for(folder / ".", 0);
  ASSERT_NE(lock, nullptr);
  lock.reset();
  EXPECT_NE(FolderLock::wait_for(folder / ".", 0), nullptr);
}

TEST(FolderLock, WaitsForTheHolder) {
  const TemporaryFolder folder;
  auto lock = std::make_unique<FolderLock>(folder / ".");
  std::atomic<bool> released = false;
  std::thread holder([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    released = true;
    lock.reset();
  });
  const std::unique_ptr<FolderLock> second = FolderLock::wait_for(folder / ".", 60);
  EXPECT_NE(second, nullptr);
  EXPECT_TRUE(released);
  holder.join();
}

TEST(FolderLock, NeedsAFolder) {
  const TemporaryFolder folder;
  EXPECT_THROW(FolderLock(folder / "absent", 0), Error);
  EXPECT_THROW((void)FolderLock::wait_for(folder / "absent", 0), Error);
}

}  // namespace
}  // namespace perfgate::store
