// SPDX-License-Identifier: Apache-2.0
#include "perfgate/layouts/link_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"

namespace perfgate::layouts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LinkCommandTest : public testing::Test {
 protected:
  LinkCommandTest() : folder_("perfgate-link-test-") {
    for (const char* name : {"a.o", "b.o", "lib.a"}) std::ofstream(folder_.file(name)) << name;
  }
  ParsedLink Parse(std::vector<std::string> arguments) const {
    return ParseLink({folder_.path(), std::move(arguments)});
  }
  void ExpectRefused(const std::vector<std::string>& arguments, const std::string& why) const {
    try {
      Parse(arguments);
      ADD_FAILURE() << "accepted, should say: " << why;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kUsage);
      EXPECT_THAT(error.what(), HasSubstr(why));
    }
  }
  PrivateFolder folder_;
};

TEST_F(LinkCommandTest, FindsOutputObjectsAndInputs) {
  const ParsedLink link = Parse({"sh", "-O2", "a.o", "b.o", "-o", "out/bench", "lib.a", "-lm"});
  EXPECT_EQ(link.output, "out/bench");
  EXPECT_THAT(link.objects, ElementsAre(2, 3));
  EXPECT_THAT(link.inputs,
              ElementsAre(folder_.file("a.o"), folder_.file("b.o"), folder_.file("lib.a")));
  EXPECT_EQ(link.driver, LinkDriver::kCompiler);
  EXPECT_FALSE(link.shared);
  EXPECT_EQ(std::filesystem::path(link.command.arguments[0]).filename(), "sh");
  EXPECT_TRUE(std::filesystem::path(link.command.arguments[0]).is_absolute());
  EXPECT_EQ(WithOutput(link, "/x/y").arguments[5], "/x/y");
}

TEST_F(LinkCommandTest, WithoutAnOutputItIsAOut) {
  const ParsedLink link = Parse({"sh", "a.o"});
  EXPECT_EQ(link.output, "a.out");
  EXPECT_THAT(WithOutput(link, "/x").arguments, ElementsAre(testing::_, "a.o", "-o", "/x"));
}

TEST_F(LinkCommandTest, ReadsResponseFiles) {
  std::ofstream(folder_.file("objects.rsp")) << "a.o \"b.o\"\n -Wl,--x='y z' @more.rsp";
  std::ofstream(folder_.file("more.rsp")) << "lib.a";
  const ParsedLink link = Parse({"sh", "@objects.rsp", "-o", "bench"});
  EXPECT_THAT(link.command.arguments,
              ElementsAre(testing::_, "a.o", "b.o", "-Wl,--x=y z", "lib.a", "-o", "bench"));
  EXPECT_THAT(link.objects, ElementsAre(1, 2));
  std::ofstream(folder_.file("self.rsp")) << "@self.rsp";
  ExpectRefused({"sh", "@self.rsp"}, "nests response files too deeply");
  ExpectRefused({"sh", "@gone.rsp"}, "gone.rsp of the link command does not exist");
}

TEST_F(LinkCommandTest, NvccTakesLinkerOptionsInAnotherWay) {
  const std::string nvcc = folder_.file("nvcc");
  std::filesystem::create_symlink("/bin/sh", nvcc);
  EXPECT_EQ(Parse({nvcc, "a.o"}).driver, LinkDriver::kNvcc);
}

TEST_F(LinkCommandTest, RefusesWhatLinksNothing) {
  ExpectRefused({}, "is empty");
  ExpectRefused({"sh", "-c", "a.cc", "-o", "a.o"}, "only compiles (-c)");
  ExpectRefused({"sh", "gone.o", "-o", "bench"}, "names no file that exists");
  ExpectRefused({"no-such-compiler", "a.o"}, "no-such-compiler: no such program in PATH");
  ExpectRefused({"./no-such-compiler", "a.o"}, "no such program");
}

TEST(SplitArguments, QuotesAndBackslashesProtect) {
  EXPECT_THAT(SplitArguments(R"(a  'b c' "d \" e" f\ g '' h"i"j)"),
              ElementsAre("a", "b c", "d \" e", "f g", "", "hij"));
}

}  // namespace
}  // namespace perfgate::layouts
