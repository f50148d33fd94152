// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/key_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/hmac.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecret = "0123456789abcdef-not-to-be-shown";

std::string WriteKey(const std::string& path, const std::string& bytes, mode_t mode = 0600) {
  write_file_atomically(path, bytes);
  EXPECT_EQ(::chmod(path.c_str(), mode), 0);
  return path;
}

void ExpectKeyRefused(const std::string& path, Exit exit, const std::string& says) {
  try {
    ReadKeyFile(path);
    ADD_FAILURE() << path << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), exit) << error.what();
    EXPECT_THAT(error.what(), AllOf(HasSubstr(path), HasSubstr(says), Not(HasSubstr(kSecret))));
  }
}

TEST(KeyFile, SignsWithEveryByteOfTheFile) {
  const TemporaryFolder folder;
  const std::string bytes = std::string(kSecret) + '\0' + "\n";
  const SecretKey key = ReadKeyFile(WriteKey(folder / "key", bytes));
  const std::string proof = key.Sign("text");
  EXPECT_EQ(proof, "hmac-sha256:" + HmacSha256Hex(bytes, "text"));
  EXPECT_TRUE(key.HasSigned("text", proof));
  EXPECT_FALSE(key.HasSigned("Text", proof));
  EXPECT_FALSE(key.HasSigned("text", proof.substr(0, proof.size() - 1)));
  const SecretKey other = ReadKeyFile(WriteKey(folder / "other", kSecret, 0400));
  EXPECT_FALSE(other.HasSigned("text", proof));
}

TEST(KeyFile, RefusesWhatOthersCanRead) {
  const TemporaryFolder folder;
  for (const mode_t mode : {0640U, 0604U, 0620U, 0644U, 0610U}) {
    ExpectKeyRefused(WriteKey(folder / "key", kSecret, mode), Exit::kUsage, "chmod 600 ");
  }
}

TEST(KeyFile, RefusesTheFileOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const TemporaryFolder folder;
  const std::string path = WriteKey(folder / "key", kSecret);
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  ExpectKeyRefused(path, Exit::kUsage, "belongs to user 65534");
}

TEST(KeyFile, RefusesWhatIsNoKey) {
  const TemporaryFolder folder;
  ExpectKeyRefused(folder / "none", Exit::kData, "No such file");
  ExpectKeyRefused(WriteKey(folder / "short", std::string(15, 'x')), Exit::kData, "at least 16");
  ExpectKeyRefused(WriteKey(folder / "long", std::string(4097, 'x')), Exit::kData, "at most 4096");
  ExpectKeyRefused(folder.path(), Exit::kData, "a folder");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  ExpectKeyRefused(folder / "pipe", Exit::kData, "a named pipe");
  WriteKey(folder / "key", kSecret);
  ASSERT_EQ(::symlink("key", (folder / "link").c_str()), 0);
  ExpectKeyRefused(folder / "link", Exit::kData, "a symbolic link");
  EXPECT_NO_THROW(ReadKeyFile(WriteKey(folder / "least", std::string(16, 'x'))));
  EXPECT_NO_THROW(ReadKeyFile(WriteKey(folder / "most", std::string(4096, 'x'))));
}

}  // namespace
}  // namespace perfgate
