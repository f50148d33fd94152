// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/private_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "perfgate/base/io/held_folder.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;

// A process of its own makes a folder and waits; its pid and the folder.
std::pair<pid_t, std::string> ProcessWithFolder(const std::string& base) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const HeldFolder folder = MakeHeldFolder(base, "test-");
    std::ofstream(folder.path + "/copy") << "program";
    ::chmod(folder.path.c_str(), 0711);
    const ssize_t written = ::write(ends[1], folder.path.data(), folder.path.size());
    static_cast<void>(written);
    ::close(ends[1]);
    for (;;) ::pause();
  }
  ::close(ends[1]);
  std::string path(256, ' ');
  path.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], path.data(), 256))));
  ::close(ends[0]);
  return {child, path};
}

TEST(PrivateFolder, GoesWithItsOwner) {
  std::string path;
  {
    const PrivateFolder folder("private-folder-test-");
    path = folder.path();
    std::ofstream(folder.file("x")) << "x";
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(PrivateFolder, WhatAKilledOwnerLeftIsRemoved) {
  const PrivateFolder base("private-folder-test-");
  const auto [child, path] = ProcessWithFolder(base.path());
  ASSERT_TRUE(fs::exists(path + "/copy"));
  RemoveAbandoned(base.path(), "test-");
  EXPECT_TRUE(fs::exists(path + "/copy")) << "its owner lives";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  RemoveAbandoned(base.path(), "other-");
  EXPECT_TRUE(fs::exists(path + "/copy")) << "of another prefix";
  RemoveAbandoned(base.path(), "test-");
  EXPECT_FALSE(fs::exists(path));
}

TEST(PrivateFolder, WhatSomebodyMadeByHandStays) {
  const PrivateFolder base("private-folder-test-");
  fs::create_directory(base.file("test-123456"));
  ::chmod(base.file("test-123456").c_str(), 0755);
  std::ofstream(base.file("test-abcdef")) << "a file";
  fs::create_directory(base.file("test-longer-name"));
  RemoveAbandoned(base.path(), "test-");
  EXPECT_TRUE(fs::exists(base.file("test-123456")));
  EXPECT_TRUE(fs::exists(base.file("test-abcdef")));
  EXPECT_TRUE(fs::exists(base.file("test-longer-name")));
}

}  // namespace
}  // namespace perfgate
