// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::ci {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string WhyRefused(const BuildPlan& plan) {
  try {
    RequireComplete(plan);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    return error.what();
  }
  return "taken";
}

TEST(BuildPlan, NamesOneWayToBuild) {
  EXPECT_EQ(WhyRefused({.target = "t"}), "taken");
  EXPECT_EQ(WhyRefused({.command = "make", .bench = "out/b"}), "taken");
  EXPECT_THAT(WhyRefused({}), HasSubstr("name what to build"));
  EXPECT_THAT(WhyRefused({.target = "t", .command = "make"}), HasSubstr("name what to build"));
  EXPECT_THAT(WhyRefused({.command = "make"}), HasSubstr("--bench is missing"));
  EXPECT_THAT(WhyRefused({.command = "make", .bench = "/bin/true"}), HasSubstr("from the top"));
  EXPECT_THAT(WhyRefused({.command = "make", .bench = "../b"}), HasSubstr("from the top"));
}

TEST(BuildPlan, CommandsKeepPathsOutOfExecutables) {
  const std::string own = BuildCommand({.command = "make all", .bench = "b"}, "/place");
  EXPECT_THAT(own, HasSubstr("CXXFLAGS=-ffile-prefix-map=/place=."));
  EXPECT_THAT(own, HasSubstr("\nmake all"));
  const std::string cmake =
      BuildCommand({.target = "t", .source = "a b", .configure = "-DX='1 2'", .jobs = 3}, "/place");
  EXPECT_THAT(cmake, HasSubstr("-S 'a b'"));
  EXPECT_THAT(cmake, HasSubstr("'-DX=1 2'"));
  EXPECT_THAT(cmake, HasSubstr("--parallel 3 --target t"));
  EXPECT_THROW(BuildCommand({.target = "t", .configure = "'"}, "/place"), Error);
}

class Build : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    try {
      boxes_ = study::FindBoxes(GetParam());
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    fs::create_directories(out_.file("base/src"));
    fs::create_directories(out_.file("head/src"));
  }

  BuiltArm Run(const std::string& command, const std::string& arm = "base") {
    plan_ = {.command = command, .bench = "out/b", .limit_s = 60};
    return BuildArm(plan_, boxes_, out_.path(), arm);
  }

  study::Boxes boxes_;
  BuildPlan plan_;
  PrivateFolder out_{"perfgate-build-test-"};
};

constexpr const char* kGood = "mkdir -p out && cp /bin/true out/b";

TEST_P(Build, EndsAreToldApart) {
  EXPECT_EQ(Run(kGood).end, BuildEnd::kBuilt);
  const BuiltArm failed = Run("echo 'x.cc:3:1: error: no'; exit 2", "head");
  EXPECT_EQ(failed.end, BuildEnd::kFailed);
  EXPECT_EQ(failed.trouble, "the build exited with code 2");
  ASSERT_FALSE(failed.lines.empty());
  EXPECT_THAT(failed.lines[0].text, HasSubstr("x.cc:3"));
  EXPECT_EQ(Run("true", "head").end, BuildEnd::kNoExecutable);
  EXPECT_EQ(Run("mkdir -p out; echo text > out/b", "head").end, BuildEnd::kNoExecutable);
  EXPECT_EQ(Run("mkdir -p out; ln -sf /bin/true out/b", "head").end, BuildEnd::kNoExecutable);
}

TEST_P(Build, OfTheSameSourcesAreTheSame) {
  const std::string write = "echo 'int main() { return __FILE__[0] == 0; }' > a.c && mkdir -p out ";
  const std::string compile = write + "&& cc $CFLAGS -g -c \"$PWD/a.c\" -o a.o && cc a.o -o out/b";
  const BuiltArm base = Run(compile);
  const BuiltArm head = Run(compile, "head");
  ASSERT_EQ(base.end, BuildEnd::kBuilt) << read_small_file(base.log);
  EXPECT_EQ(base.digest, head.digest);
  EXPECT_NE(base.executable, head.executable);
  EXPECT_EQ(base.executable.size(), head.executable.size());
}

TEST_P(Build, BaseIsKeptWhileItLiesThereUnchanged) {
  const BuiltArm base = Run(kGood);
  const std::string key = BuildKey(plan_, boxes_, out_.path(), "commit");
  EXPECT_EQ(BuildKey(plan_, boxes_, out_.path(), "commit"), key);
  EXPECT_NE(BuildKey(plan_, boxes_, out_.path(), "other"), key);
  EXPECT_EQ(FindBuiltBase(boxes_, out_.path(), key).end, BuildEnd::kFailed);
  KeepBuiltBase(out_.path(), key, base);
  const BuiltArm found = FindBuiltBase(boxes_, out_.path(), key);
  EXPECT_EQ(found.end, BuildEnd::kBuilt);
  EXPECT_EQ(found.executable, base.executable);
  EXPECT_EQ(FindBuiltBase(boxes_, out_.path(), "other").end, BuildEnd::kFailed);
  plan_.command += " # another command";
  EXPECT_NE(BuildKey(plan_, boxes_, out_.path(), "commit"), key);
  std::ofstream(base.executable, std::ios::app) << "more";
  EXPECT_EQ(FindBuiltBase(boxes_, out_.path(), key).end, BuildEnd::kFailed);
  std::ofstream(out_.file("base.json")) << "{";
  EXPECT_EQ(FindBuiltBase(boxes_, out_.path(), key).end, BuildEnd::kFailed);
}

INSTANTIATE_TEST_SUITE_P(Isolated, Build, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(AsThisUser, Build, ::testing::Values(false));

}  // namespace
}  // namespace perfgate::ci
