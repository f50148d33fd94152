// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/missing_feature.h"

#include <gtest/gtest.h>

#include "perfgate/published/device_need.h"
#include "perfgate/published/failure_kind.h"
#include "tests/perfgate/published/review/population.h"

namespace perfgate::published {
namespace {

std::string missing_name(const std::string& line) {
  const auto missing = FindMissingName({line});
  return missing ? missing->name : "";
}

TEST(MissingFeature, ReadsWhatToolsSay) {
  EXPECT_EQ(missing_name("bench.py: error: unrecognized arguments: --enable-x 3"), "--enable-x");
  EXPECT_EQ(missing_name("g++: error: unrecognized command-line option '-mfoo'"), "-mfoo");
  EXPECT_EQ(missing_name("Error: No such option: --fast"), "--fast");
  EXPECT_EQ(missing_name("ModuleNotFoundError: No module named 'vllm.attention.fast'"),
            "vllm.attention.fast");
  EXPECT_EQ(missing_name("bench.cc:3:10: fatal error: fast/sum.h: No such file or directory"),
            "fast/sum.h");
  EXPECT_EQ(missing_name("bench.o: undefined reference to `lib::Fast(int)'"), "lib::Fast(int)");
  EXPECT_EQ(missing_name("./bench: symbol lookup error: ./bench: undefined symbol: _Z4Fastv"),
            "_Z4Fastv");
  EXPECT_EQ(missing_name("ImportError: cannot import name 'Fast' from 'lib' (lib.py)"), "Fast");
  EXPECT_EQ(missing_name("AttributeError: module 'lib' has no attribute 'fast'"), "fast");
  EXPECT_EQ(missing_name("TypeError: f() got an unexpected keyword argument 'fast'"), "fast");
  EXPECT_EQ(missing_name("error: \xE2\x80\x98struct S\xE2\x80\x99 has no member named "
                         "\xE2\x80\x98"
                         "fast\xE2\x80\x99"),
            "fast");
  for (const char* line : {"", "all tests passed", "CUDA out of memory", "fatal error: too many",
                           "unrecognized arguments: "}) {
    EXPECT_EQ(missing_name(line), "") << line;
  }
}

TEST(MissingFeature, IsOneOnlyWhereTheChangeIntroducesIt) {
  const auto found = [](const std::string& line, const std::string& introduces) {
    return FindMissingFeature({"noise", line}, {"other", introduces}).has_value();
  };
  EXPECT_TRUE(found("unrecognized arguments: --fast=1", "--fast"));
  EXPECT_FALSE(found("unrecognized arguments: --fast", "--faster"));
  EXPECT_TRUE(found("No module named 'lib.fast'", "lib/fast.py"));
  EXPECT_TRUE(found("No module named 'lib.fast'", "lib.fast.sum"));
  EXPECT_FALSE(found("No module named 'lib.fast'", "lib.faster"));
  EXPECT_TRUE(found("fatal error: sum.h: No such file or directory", "include/sum.h"));
  EXPECT_TRUE(found("undefined reference to `lib::Fast(int)'", "Fast"));
  EXPECT_FALSE(found("undefined reference to `lib::Fast(int)'", "Slow"));
}

TEST(MissingFeature, ReadsAPatch) {
  const std::string diff =
      "--- a/lib.py\n+++ b/lib.py\n@@ -1,2 +1,3 @@\n def slow():\n-  old()\n+  new(fast=1)\n"
      "+def fast_sum(x):\n";
  EXPECT_TRUE(Introduces(diff, "fast_sum"));
  EXPECT_TRUE(Introduces(diff, "new"));
  EXPECT_FALSE(Introduces(diff, "sum")) << "only a part of a word";
  EXPECT_FALSE(Introduces(diff, "slow")) << "it stood there before";
  EXPECT_FALSE(Introduces(diff, "old"));
  EXPECT_FALSE(Introduces(diff, ""));
  EXPECT_TRUE(Introduces("+parser.add_argument('--fast')\n", "--fast"));
}

TEST(MissingFeature, DecidesTheDisposition) {
  PublishedItem item = FailedItem("a", "server_crash");
  item.errors[0] = {"baseline", "server_crash", "build"};
  item.errors[0].log = {"bench: unrecognized arguments: --fast"};
  EXPECT_EQ(dispose(item, answer_item(item)), Disposition::kRetry);
  item.introduces = {"--fast"};
  const Failure failure = classify_error(item.errors[0], item.introduces);
  EXPECT_EQ(failure.kind, FailureKind::kMissingFeatureInBaseline);
  EXPECT_EQ(failure.at_fault, AtFault::kBaseline);
  EXPECT_EQ(failure.feature, "--fast");
  EXPECT_EQ(dispose(item, answer_item(item)), Disposition::kDoNotRetry);
  EXPECT_EQ(preflight(need_of(item), {.count = 8}), Readiness::kNoMachine);
  item.errors[0].arm = "agent";
  EXPECT_EQ(classify_error(item.errors[0], item.introduces).kind, FailureKind::kCrash)
      << "an agent that lacks it is at fault itself";
}

}  // namespace
}  // namespace perfgate::published
