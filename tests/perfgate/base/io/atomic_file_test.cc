// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <functional>
#include <sstream>

#include "perfgate/base/error.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::TemporaryFolder;
using testing::HasSubstr;
using testing::StartsWith;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

void expect_write_refused(const std::string& path, std::string_view content,
                          const std::string& hint) {
  try {
    write_file_atomically(path, content);
    ADD_FAILURE() << path << " was written";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), StartsWith(path + ": cannot be written: "));
    EXPECT_THAT(error.what(), HasSubstr(hint));
  }
}

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  std::string everything;
  for (int i = 0; i < 100000; ++i) everything += static_cast<char>(i * 7);
  for (const std::string& content : {std::string("first"), everything, std::string()}) {
    write_file_atomically(folder / "f", content);
    EXPECT_EQ(content_of(folder / "f"), content);
    EXPECT_EQ(folder.entries(), 1U);
  }
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "f", "old");
  {
    AtomicFile file(folder / "f");
    file.Write(std::as_bytes(std::span("new")));
    EXPECT_EQ(folder.entries(), 2U);
  }
  EXPECT_EQ(folder.entries(), 1U);
  EXPECT_EQ(content_of(folder / "f"), "old");
  AtomicFile file(folder / "f");
  file.Write(std::as_bytes(std::span("in ", 3)));
  file.Write(std::as_bytes(std::span("parts", 5)));
  file.Commit();
  EXPECT_EQ(content_of(folder / "f"), "in parts");
}

TEST(AtomicFile, ReadersNeverSeeAPart) {
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  const std::string a(300000, 'a');
  const std::string b(500000, 'b');
  write_file_atomically(path, a);
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    for (int i = 0; i < 40; ++i) write_file_atomically(path, i % 2 == 0 ? b : a);
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(writer, &status, WNOHANG) == 0) {
    const std::string seen = content_of(path);
    ASSERT_TRUE(seen == a || seen == b) << seen.size();
  }
  EXPECT_EQ(status, 0);
}

TEST(AtomicFile, FollowsLinksAndKeepsPermissions) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "target", "old");
  ASSERT_EQ(::chmod((folder / "target").c_str(), 0640), 0);
  ASSERT_EQ(::symlink("target", (folder / "link").c_str()), 0);
  write_file_atomically(folder / "link", "new");
  EXPECT_EQ(content_of(folder / "target"), "new");
  struct stat info = {};
  ASSERT_EQ(::lstat((folder / "link").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ASSERT_EQ(::stat((folder / "target").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0640U);
}

// A pipe stands for every special file: were a real device replaced, the machine would be broken.
TEST(AtomicFile, WritesIntoSpecialFilesInsteadOfReplacingThem) {
  const TemporaryFolder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_file_atomically(path, "content");
  std::array<char, 16> buffer = {};
  EXPECT_EQ(::read(reader, buffer.data(), buffer.size()), 7);
  EXPECT_STREQ(buffer.data(), "content");
  ::close(reader);
  struct stat info = {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_TRUE(S_ISFIFO(info.st_mode));
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, RefusesFoldersThatAreNotThere) {
  const TemporaryFolder folder;
  expect_write_refused(folder / "missing/f", "x", "create it first");
  write_file_atomically(folder / "plain", "x");
  expect_write_refused(folder / "plain/f", "x", "create it first");
  expect_write_refused(folder.path(), "x", "name a file in it");
  expect_write_refused(folder / std::string(300, 'n'), "x", "shorter name");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, RefusesFoldersThatCannotBeWritten) {
  try {
    write_file_atomically("/proc/perfgate", "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
  }
  const TemporaryFolder folder;
  write_file_atomically(folder / "f", "old");
  ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
  // Permissions do not stop root.
  const bool stopped = ::access(folder.path().c_str(), W_OK) != 0;
  if (stopped) expect_write_refused(folder / "f", "new", "may not write there");
  ASSERT_EQ(::chmod(folder.path().c_str(), 0700), 0);
  if (!stopped) GTEST_SKIP() << "this user may write anywhere";
  EXPECT_EQ(content_of(folder / "f"), "old");
}

// Runs `body` in a child, so that its limits and mounts do not reach the other tests.
int exit_code_of(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

// 0: refused with the hint, the old content kept, no temporary file left.
int judge_refusal(const std::string& path, std::size_t bytes, const std::string& hint) {
  try {
    write_file_atomically(path, std::string(bytes, 'x'));
    return 1;
  } catch (const Error& error) {
    if (std::string(error.what()).find(hint) == std::string::npos) return 2;
  }
  if (content_of(path) != "old") return 3;
  const auto folder = std::filesystem::path(path).parent_path();
  return std::distance(std::filesystem::directory_iterator(folder), {}) == 1 ? 0 : 4;
}

TEST(AtomicFile, FileSizeLimitKeepsTheOldContent) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "f", "old");
  EXPECT_EQ(exit_code_of([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit = {.rlim_cur = 4096, .rlim_max = 4096};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              return judge_refusal(folder / "f", 100000, "ulimit -f");
            }),
            0);
}

TEST(AtomicFile, FullDiskKeepsTheOldContent) {
  const TemporaryFolder folder;
  if (::mount("perfgate", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "this user may not mount a small file system";
  }
  write_file_atomically(folder / "f", "old");
  const int full = judge_refusal(folder / "f", 1000000, "free some space");
  const bool remounted =
      ::mount("perfgate", folder.path().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  const int read_only = remounted ? judge_refusal(folder / "f", 3, "mounted read-only") : 0;
  ::umount(folder.path().c_str());
  EXPECT_EQ(full, 0);
  EXPECT_EQ(read_only, 0);
}

}  // namespace
}  // namespace perfgate
