// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/comment.h"

#include <gtest/gtest.h>

namespace perfgate::ci {
namespace {

bool IsTaken(Host host, const std::string& project, const std::string& number) {
  try {
    RequirePlace(host, {.project = project, .number = number});
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    return false;
  }
}

TEST(CommentPlace, IsOneProjectAndANumber) {
  EXPECT_TRUE(IsTaken(Host::kGitHub, "owner/name.cc", "17"));
  EXPECT_TRUE(IsTaken(Host::kGitLab, "7", "17"));
  EXPECT_TRUE(IsTaken(Host::kGitLab, "group/sub/name", "17"));
  for (const char* project :
       {"", "name", "a/b/c", "a/..", "./b", "a/b?x", "a/b%2F", "a b/c", "/a", "a/"}) {
    EXPECT_FALSE(IsTaken(Host::kGitHub, project, "17")) << project;
  }
  for (const char* number : {"", "-1", "1/2", "0x1", "1234567890123", " 1"}) {
    EXPECT_FALSE(IsTaken(Host::kGitHub, "o/r", number)) << number;
  }
}

}  // namespace
}  // namespace perfgate::ci
