// SPDX-License-Identifier: Apache-2.0
// Links small programs for real, with the compiler that built this test.
#include "perfgate/layouts/relink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/process.h"
#include "perfgate/evidence/files/files.h"

namespace perfgate::layouts {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RelinkTest : public testing::Test {
 protected:
  RelinkTest() : folder_("perfgate-relink-test-") {
    for (const char unit : {'a', 'b', 'c'}) {
      std::ofstream source(folder_.file(std::string(1, unit) + ".cc"));
      for (int i = 0; i < 8; ++i) {
        source << "int " << unit << i << "(int x) { return x * " << i + unit << " + " << i
               << "; }\n";
      }
      if (unit == 'a')
        source << "int b3(int); int c5(int);\nint main() { return b3(1) + c5(2) == 0; }\n";
    }
    Compile("-ffunction-sections");
    command_ = {folder_.path(), {PERFGATE_CXX, "a.o", "b.o", "c.o", "-o", "prog"}};
  }

  void Compile(const std::string& flags) const {
    const std::string compile =
        "cd " + folder_.path() + " && " + PERFGATE_CXX + " -O1 " + flags + " -c a.cc b.cc c.cc";
    ASSERT_EQ(std::system(compile.c_str()), 0);
  }

  RelinkRequest Request(int count = 12) const {
    return {.command = command_, .folder = folder_.file("layouts"), .count = count, .at_once = 2};
  }

  // A compiler that does something else where its arguments hold a text.
  std::string Compiler(const std::string& where, const std::string& instead) const {
    const std::string path = folder_.file("compiler");
    std::ofstream(path) << "#!/bin/sh\ncase \"$*\" in *" << where << "*) " << instead
                        << " ;; esac\nexec " << PERFGATE_CXX << " \"$@\"\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  static bool HasLld() { return std::system("ld.lld --version >/dev/null 2>&1") == 0; }

  PrivateFolder folder_;
  LinkCommand command_;
};

void ExpectRefused(const RelinkRequest& request, Exit exit, const std::string& why) {
  try {
    Relink(request, {});
    ADD_FAILURE() << "accepted, should say: " << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), exit) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(why));
  }
}

TEST_F(RelinkTest, EveryLayoutIsAnotherExecutableThatDoesTheSame) {
  const RelinkResult result = Relink(Request(), {});
  EXPECT_EQ(result.linked, 13);
  const LayoutFolder folder = OpenLayouts(folder_.file("layouts"));
  RequireSound(folder);
  ASSERT_EQ(folder.set.layouts.size(), 13U);
  EXPECT_EQ(folder.set.name, "prog");
  EXPECT_FALSE(folder.set.linker.empty());
  std::set<std::string> digests;
  for (const Layout& layout : folder.set.layouts) {
    digests.insert(layout.digest);
    EXPECT_EQ(std::system(folder.FileOf(layout).c_str()), 0) << layout.seed;
  }
  EXPECT_EQ(digests.size(), 13U);
}

TEST_F(RelinkTest, TheSameObjectsAndSeedsGiveTheSameLayouts) {
  const RelinkResult first = Relink(Request(), {});
  RelinkRequest elsewhere = Request();
  elsewhere.folder = folder_.file("other");
  const RelinkResult second = Relink(elsewhere, {});
  for (std::size_t i = 0; i < first.folder.set.layouts.size(); ++i) {
    EXPECT_EQ(first.folder.set.layouts[i].digest, second.folder.set.layouts[i].digest) << i;
  }
  EXPECT_EQ(FolderDigest(first.folder.set), FolderDigest(second.folder.set));
}

TEST_F(RelinkTest, KeepsWhatItHasAndLinksTheRest) {
  Relink(Request(6), {});
  fs::remove(folder_.file("layouts") + "/0003/prog");
  const RelinkResult more = Relink(Request(9), {});
  EXPECT_EQ(more.linked, 4);  // 3, 7, 8 and 9
  EXPECT_EQ(more.kept, 6);
  RequireSound(OpenLayouts(folder_.file("layouts")));
  // Other objects: nothing is kept.
  std::ofstream(folder_.file("c.cc"), std::ios::app) << "int more() { return 1; }\n";
  Compile("-ffunction-sections");
  EXPECT_EQ(Relink(Request(9), {}).kept, 0);
}

TEST_F(RelinkTest, LinksLater) {
  RelinkRequest request = Request();
  request.later = true;
  EXPECT_EQ(Relink(request, {}).linked, 1);
  const LayoutFolder folder = OpenLayouts(request.folder);
  EXPECT_EQ(folder.set.layouts.size(), 1U);
  EXPECT_EQ(LinkMissing(folder, 2, {}).set.layouts.size(), 13U);
  RequireSound(OpenLayouts(request.folder));
}

TEST_F(RelinkTest, LinksNothingLaterFromOtherObjects) {
  RelinkRequest request = Request();
  request.later = true;
  Relink(request, {});
  std::ofstream(folder_.file("b.cc"), std::ios::app) << "int more() { return 1; }\n";
  Compile("-ffunction-sections");
  try {
    LinkMissing(OpenLayouts(request.folder), 2, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), HasSubstr("the object files have changed"));
  }
}

TEST_F(RelinkTest, SharedLibrariesAreShuffledWithIt) {
  ASSERT_EQ(std::system(("cd " + folder_.path() + " && " + PERFGATE_CXX +
                         " -fPIC -ffunction-sections -c b.cc && " + PERFGATE_CXX +
                         " -shared b.o -o libb.so")
                            .c_str()),
            0);
  RelinkRequest request = Request(4);
  request.command.arguments = {
      PERFGATE_CXX, "a.o", "c.o", "libb.so", "-Wl,-rpath=" + folder_.path(), "-o", "prog"};
  request.libraries = {{folder_.path(), {PERFGATE_CXX, "-shared", "b.o", "-o", "libb.so"}}};
  const RelinkResult result = Relink(request, {});
  fs::remove(folder_.file("libb.so"));  // only those beside the layouts are left
  for (const Layout& layout : result.folder.set.layouts) {
    if (layout.seed == 0) continue;
    EXPECT_EQ(std::system(result.folder.FileOf(layout).c_str()), 0) << layout.seed;
  }
  EXPECT_NE(read_file_text(request.folder + "/0001/libb.so"),
            read_file_text(request.folder + "/0002/libb.so"));
}

TEST_F(RelinkTest, WithoutAShufflingLinkerObjectsChangePlaces) {
  RelinkRequest request = Request();
  request.command.arguments[0] = Compiler("-fuse-ld=", "echo cannot find ld >&2; exit 1");
  const RelinkResult result = Relink(request, {});
  EXPECT_EQ(result.folder.set.shuffling, Shuffling::kOrder);
  ASSERT_EQ(result.notes.size(), 3U);
  EXPECT_THAT(result.notes[0], HasSubstr("not linked with lld: cannot find ld"));
  EXPECT_THAT(result.notes[2], HasSubstr("install lld"));
  for (const Layout& layout : result.folder.set.layouts) {
    EXPECT_EQ(std::system(result.folder.FileOf(layout).c_str()), 0) << layout.seed;
  }
}

TEST_F(RelinkTest, AFailedLinkIsToldAndLeavesNoFolderOfLayouts) {
  if (!HasLld()) GTEST_SKIP() << "no lld";
  RelinkRequest request = Request(40);
  request.command.arguments[0] =
      Compiler("text\\*=17", "echo undefined reference to f >&2; exit 1");
  ExpectRefused(request, Exit::kFailed,
                "linking the layout of seed 17 failed: undefined reference");
  EXPECT_FALSE(NamesLayouts(request.folder));
}

TEST_F(RelinkTest, NothingToShuffleIsToldNotHidden) {
  if (!HasLld()) GTEST_SKIP() << "no lld";
  // One object whose functions lie in one section.
  ASSERT_EQ(std::system(("cd " + folder_.path() + " && cat b.cc c.cc a.cc > all.cc && " +
                         PERFGATE_CXX + " -O1 -fno-function-sections -c all.cc")
                            .c_str()),
            0);
  RelinkRequest request = Request();
  request.command.arguments = {PERFGATE_CXX, "-nostartfiles", "-Wl,-e,main", "all.o", "-o", "prog"};
  ExpectRefused(request, Exit::kData, "Compile with -ffunction-sections -fdata-sections");
}

TEST_F(RelinkTest, RefusesWhatIsNoExecutable) {
  RelinkRequest request = Request();
  request.command.arguments = {PERFGATE_CXX, "-shared", "b.o", "-o", "libb.so"};
  ExpectRefused(request, Exit::kUsage, "makes a shared library");
  request = Request(0);
  ExpectRefused(request, Exit::kUsage, "--count must be from 1");
  request = Request();
  request.libraries = {command_};
  ExpectRefused(request, Exit::kUsage, "has no -shared");
}

TEST_F(RelinkTest, ForeignAndMissingFilesAreFound) {
  Relink(Request(3), {});
  const std::string folder = folder_.file("layouts");
  const auto complaint = [&]() -> std::string {
    try {
      RequireSound(OpenLayouts(folder));
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      return error.what();
    }
  };
  EXPECT_EQ(complaint(), "");
  fs::copy_file(folder + "/0001/prog", folder + "/0002/prog", fs::copy_options::overwrite_existing);
  EXPECT_THAT(complaint(), HasSubstr("0002/prog: is not the file that"));
  fs::remove(folder + "/0002/prog");
  EXPECT_THAT(complaint(), HasSubstr("the layout of seed 2 is missing"));
  std::ofstream(folder + "/layouts.json") << "{";
  EXPECT_THAT(complaint(), HasSubstr("layouts.json"));
}

}  // namespace
}  // namespace perfgate::layouts
