// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/comparability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

ArmInfo arm() {
  ArmInfo info;
  info.library = "1.7.1";
  info.build.compiler = "GNU 12.2.0";
  info.build.known = true;
  info.build.optimized = true;
  return info;
}

TEST(BuildMismatch, IsNoneForEqualBuilds) {
  EXPECT_FALSE(build_mismatch(arm(), arm()));
  EXPECT_THAT(build_warnings(arm(), arm()), IsEmpty());
}

TEST(BuildMismatch, NamesWhatDiffersInEitherDirection) {
  ArmInfo debug = arm();
  debug.build.optimized = false;
  ArmInfo assertions = arm();
  assertions.build.assertions = true;
  ArmInfo sanitized = arm();
  sanitized.build.sanitizer = "address";
  const std::pair<ArmInfo, std::string> rows[] = {
      {debug, "optimised"}, {assertions, "assertions"}, {sanitized, "address"}};
  for (const auto& [other, word] : rows) {
    EXPECT_THAT(build_mismatch(arm(), other), Optional(HasSubstr(word)));
    EXPECT_THAT(build_mismatch(other, arm()), Optional(HasSubstr(word)));
    EXPECT_FALSE(build_mismatch(other, other));
  }
}

TEST(BuildMismatch, NeedsKnownBuildsExceptForSanitizers) {
  ArmInfo unknown = arm();
  unknown.build = {};
  ArmInfo debug = arm();
  debug.build.optimized = false;
  EXPECT_FALSE(build_mismatch(unknown, debug));
  ArmInfo sanitized = unknown;
  sanitized.build.sanitizer = "thread";
  EXPECT_TRUE(build_mismatch(arm(), sanitized));
}

TEST(BuildWarnings, TellDifferencesThatDoNotForbidTheComparison) {
  ArmInfo clang = arm();
  clang.build.compiler = "Clang 16";
  EXPECT_THAT(build_warnings(arm(), clang), ElementsAre(HasSubstr("Clang 16")));
  ArmInfo newer = arm();
  newer.library = "1.8.3";
  EXPECT_THAT(build_warnings(arm(), newer), ElementsAre(HasSubstr("1.8.3")));
  ArmInfo debug = arm();
  debug.build.optimized = false;
  EXPECT_THAT(build_warnings(debug, debug), ElementsAre(HasSubstr("without optimisation")));
  ArmInfo assertions = arm();
  assertions.build.assertions = true;
  EXPECT_THAT(build_warnings(assertions, assertions), ElementsAre(HasSubstr("assertions")));
  ArmInfo sanitized = arm();
  sanitized.build.sanitizer = "address";
  EXPECT_THAT(build_warnings(sanitized, sanitized), ElementsAre(HasSubstr("sanitizer")));
}

}  // namespace
}  // namespace perfgate
