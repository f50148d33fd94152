// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/input_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr InputKind kPlain = {"note", 6, LastLink::kRefused};
constexpr InputKind kLinked = {"note", 6, LastLink::kFollowed};

void ExpectInputRefused(const std::string& path, const InputKind& kind, const std::string& says) {
  try {
    ReadInputFile(path, kind);
    ADD_FAILURE() << path << " was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), AllOf(StartsWith(path + ": cannot be read: "), HasSubstr(says)));
  }
}

TEST(InputFile, GivesEveryByteUpToTheLimit) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "f", std::string("01\0"
                                                  "345",
                                                  6));
  EXPECT_EQ(ReadInputFile(folder / "f", kPlain), std::string("01\0"
                                                             "345",
                                                             6));
  write_file_atomically(folder / "empty", "");
  EXPECT_EQ(ReadInputFile(folder / "empty", kPlain), "");
  write_file_atomically(folder / "large", "0123456");
  ExpectInputRefused(folder / "large", kPlain, "it has 7 bytes, and a note has at most 6");
  EXPECT_EQ(ReadInputHead(folder / "large", 3), "012");
}

TEST(InputFile, SaysWhatStandsThereInstead) {
  const TemporaryFolder folder;
  ExpectInputRefused(folder / "none", kPlain, "No such file");
  ExpectInputRefused(folder.path(), kPlain, "it is a folder");
  ExpectInputRefused("/dev/zero", kPlain, "it is a device");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  ExpectInputRefused(folder / "pipe", kPlain, "it is a named pipe");
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string socket = folder / "s";
  ASSERT_LT(socket.size(), sizeof address.sun_path);
  socket.copy(address.sun_path, socket.size());
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ExpectInputRefused(socket, kPlain, "it is a socket");
  ::close(fd);
}

TEST(InputFile, FollowsTheLastLinkOnlyWhereItMay) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "f", "text");
  ASSERT_EQ(::symlink("f", (folder / "link").c_str()), 0);
  EXPECT_EQ(ReadInputFile(folder / "link", kLinked), "text");
  ExpectInputRefused(folder / "link", kPlain, "it is a symbolic link");
  ASSERT_EQ(::symlink("loop", (folder / "loop").c_str()), 0);
  ExpectInputRefused(folder / "loop", kLinked, "a loop of symbolic links");
  ExpectInputRefused(folder / "loop", kPlain, "it is a symbolic link");
  ASSERT_EQ(::symlink("/dev/zero", (folder / "zero").c_str()), 0);
  ExpectInputRefused(folder / "zero", kLinked, "it is a device");
}

TEST(InputFile, AHugeFileIsRefusedUnread) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "huge", "");
  std::filesystem::resize_file(folder / "huge", std::uintmax_t{1} << 40);
  ExpectInputRefused(folder / "huge", kPlain, "1099511627776 bytes");
}

}  // namespace
}  // namespace perfgate
