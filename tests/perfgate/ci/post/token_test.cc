// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/token.h"

#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/private_folder.h"

namespace perfgate::ci {
namespace {

TEST(Token, IsOneWord) {
  const PrivateFolder folder("perfgate-token-test-");
  const std::string file = folder.file("token");
  const auto read = [&](const std::string& text) {
    write_file_atomically(file, text);
    return ReadToken(file);
  };
  EXPECT_EQ(read("abc"), "abc");
  EXPECT_EQ(read(" \n abc-1_2 \r\n"), "abc-1_2");
  for (const std::string text : {"", " \n", "two words", "a\nb", "\xc3\xa4", "a\x01"}) {
    EXPECT_THROW(read(text), Error) << text;
  }
  EXPECT_THROW(read(std::string(5000, 'a')), Error);
  EXPECT_THROW(ReadToken(folder.file("none")), Error);
}

}  // namespace
}  // namespace perfgate::ci
