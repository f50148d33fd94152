// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/regular_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::TemporaryFolder;

std::string Refusal(const std::string& path, std::uint64_t most = 100) {
  try {
    ReadRegularFile(path, most);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), testing::StartsWith(path + ": cannot be read: "));
    return error.what();
  }
  return "none";
}

TEST(RegularFile, GivesItsBytes) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "f", "012345");
  EXPECT_EQ(ReadRegularFile(folder / "f", 6), "012345");
  std::array<std::byte, 4> out = {};
  const RegularFile file(folder / "f");
  EXPECT_EQ(file.ReadAt(1, out), 4U);
  EXPECT_EQ(static_cast<char>(out[3]), '4');
  EXPECT_EQ(file.ReadAt(4, out), 2U);
  EXPECT_EQ(file.ReadAt(6, out), 0U);
}

TEST(RegularFile, SaysWhyItCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(Refusal(folder / "none"), testing::HasSubstr("No such file"));
  EXPECT_THAT(Refusal(folder.path()), testing::HasSubstr("Is a directory"));
  EXPECT_THAT(Refusal("/dev/zero"), testing::HasSubstr("not a regular file"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(Refusal(folder / "pipe"), testing::HasSubstr("not a regular file"));
  write_file_atomically(folder / "large", "012345");
  EXPECT_THAT(Refusal(folder / "large", 5), testing::HasSubstr("6 bytes, more than 5"));
}

}  // namespace
}  // namespace perfgate
