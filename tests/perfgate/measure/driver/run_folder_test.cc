// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/run_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

TEST(RunFolder, HasAFolderPerDigestAndGoesWithEverything) {
  std::string path;
  {
    RunFolder run;
    path = run.path();
    ASSERT_FALSE(path.empty());
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U) << "nobody else's";
    const std::string first = run.of("sha256:a");
    const std::string second = run.of("sha256:b");
    EXPECT_NE(first, second);
    EXPECT_EQ(first.size(), second.size());
    EXPECT_EQ(run.of("sha256:a"), first);
    EXPECT_EQ(run.of(""), "") << "executables that nobody knows share nothing";
    EXPECT_TRUE(fs::is_empty(second));
    std::ofstream(first + "/model") << "weights";
    EXPECT_TRUE(fs::is_empty(second));
  }
  EXPECT_FALSE(fs::exists(path));
}

// 2^62 bytes are more than any filesystem has.
TEST(RunFolder, LiesInMemoryOnlyWhereThereIsRoom) {
  RunFolder large(std::uint64_t{1} << 62);
  EXPECT_EQ(fs::path(large.path()).parent_path(), fs::temp_directory_path());
  EXPECT_TRUE(fs::exists(large.of("sha256:a")));
  const RunFolder small(0);
  if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no /dev/shm";
  EXPECT_EQ(fs::path(small.path()).parent_path(), "/dev/shm");
}

TEST(RunFolder, TheNextRunRemovesWhatAKilledOneLeft) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    RunFolder run;
    std::ofstream(run.of("sha256:a") + "/model") << "weights";
    const ssize_t written = ::write(ends[1], run.path().data(), run.path().size());
    static_cast<void>(written);
    ::close(ends[1]);
    ::pause();
  }
  ::close(ends[1]);
  std::string path(256, ' ');
  path.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], path.data(), 256))));
  ::close(ends[0]);
  ASSERT_TRUE(fs::exists(path + "/1000/model"));
  {
    const RunFolder other;
    EXPECT_NE(other.path(), path);
  }
  EXPECT_TRUE(fs::exists(path + "/1000/model")) << "its run is alive";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(path));
  const RunFolder next;
  EXPECT_FALSE(fs::exists(path));
}

TEST(RunFolder, RunsThatStartTogetherHaveOneEach) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      int missing = 0;
      for (int k = 0; k < 100; ++k) {
        RunFolder run;
        const std::string folder = run.of("sha256:a");
        missing += folder.empty() || !fs::exists(folder) ? 1 : 0;
      }
      ::_exit(missing == 0 ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace
}  // namespace perfgate::measure
