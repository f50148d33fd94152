// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::TemporaryFolder;

TEST(ReadFileText, GivesEveryByte) {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 200000; ++i) bytes += static_cast<char>(i * 7);
  write_file_atomically(folder / "f", bytes);
  EXPECT_EQ(read_file_text(folder / "f"), bytes);
}

TEST(ReadFileText, SaysWhyItCannot) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder / "absent", folder / "."}) {
    try {
      read_file_text(path);
      ADD_FAILURE() << path << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      EXPECT_THAT(error.what(), testing::StartsWith(path + ": cannot be read: "));
      EXPECT_THAT(error.what(), testing::HasSubstr("check the path"));
    }
  }
}

TEST(ReadSmallFile, UnreadableFilesAreEmpty) {
  EXPECT_EQ(read_small_file("/does/not/exist"), "");
  EXPECT_EQ(read_small_file("/"), "");
  EXPECT_NE(read_small_file("/proc/self/stat"), "");
  EXPECT_LE(read_small_file("/dev/zero").size(), (std::size_t{1} << 20) + 4096);
}

}  // namespace
}  // namespace perfgate
