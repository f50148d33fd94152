// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/identity/identity.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/measure/identity/known_maps.h"
#include "perfgate/measure/identity/mapped_files.h"
#include "perfgate/measure/identity/one_library.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(MappedFiles, AreReadFromTheTextOfMaps) {
  EXPECT_THAT(MappedFiles("55d0-55d1 r--p 00000000 08:01 11     /home/me/a b/bench\n"
                          "55d1-55d2 r-xp 00001000 08:01 11     /home/me/a b/bench\n"
                          "55d2-55d3 rw-p 00000000 00:00 0      [heap]\n"
                          "7f00-7f01 rw-p 00000000 00:00 0 \n"
                          "7f01-7f02 rw-s 00000000 00:01 5      /dev/shm/scratch\n"
                          "7f02-7f03 rw-s 00000000 00:01 6      /memfd:x (deleted)\n"
                          "7f03-7f04 r-xp 00000000 08:01 12     /home/me/plugin.so\n"
                          "7f04-7f05 r-xp 00000000 08:01 13     /home/me/old.so (deleted)\n"
                          "7f05-7f06 r-xp 00000000 08:01 14     /x/libperfgate_worker.so\n"
                          "7f06-7f07 r-xp 00000000 00:00 0      [vdso]\n"
                          "garbage"),
              ElementsAre("/home/me/a b/bench", "/home/me/plugin.so"));
  EXPECT_THAT(MappedFilesOf(::getpid()), Contains(fs::read_symlink("/proc/self/exe").string()));
  EXPECT_TRUE(MappedFilesOf(-1).empty());
}

class IdentityFiles : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& content = "x") const {
    const fs::path path = folder_.file(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path) << content;
    return fs::canonical(path).string();
  }
  PrivateFolder folder_{"perfgate-test-"};
};

TEST_F(IdentityFiles, WhatIsKnownGoesStale) {
  Executable executable;
  executable.path = Write("build/bench");
  executable.digest = "sha256:1";
  const std::vector<std::string> files = {executable.path, Write("build/plugin.so"),
                                          "/usr/lib/libc.so.6"};
  const KnownMaps known(folder_.file("cache"), "filter");
  EXPECT_FALSE(known.Find(executable));
  known.Keep(executable, files);
  EXPECT_EQ(known.Find(executable), files);
  EXPECT_FALSE(KnownMaps(folder_.file("cache"), "another").Find(executable));
  EXPECT_FALSE(KnownMaps("", "filter").Find(executable));
  {
    const ScopedVariable variable("LD_LIBRARY_PATH", "/elsewhere");
    EXPECT_FALSE(known.Find(executable));
  }
  Executable other = executable;
  other.digest = "sha256:2";
  EXPECT_FALSE(known.Find(other));
  Write("build/another_plugin.so");
  EXPECT_FALSE(known.Find(executable)) << "a case may open it now";
  known.Keep(executable, files);
  for (const auto& entry : fs::directory_iterator(folder_.file("cache"))) {
    std::ofstream(entry.path()) << "{\"version\": 1, \"files\": 7}";
  }
  EXPECT_FALSE(known.Find(executable)) << "it is not read by force";
}

TEST_F(IdentityFiles, OneLibraryOfABuild) {
  Executable old_arm;
  Executable new_arm;
  old_arm.path = Write("old/bin/bench");
  new_arm.path = Write("new/bin/bench");
  const std::string library = Write("new/lib/libx.so");
  const std::string common = Write("lib/libcommon.so");
  old_arm.libraries = new_arm.libraries = {common};
  EXPECT_EQ(OneLibraryForBoth(old_arm, new_arm), std::nullopt);
  old_arm.libraries = {Write("old/lib/libx.so")};
  new_arm.libraries = {library};
  EXPECT_EQ(OneLibraryForBoth(old_arm, new_arm), std::nullopt) << "each has its own";
  old_arm.libraries = new_arm.libraries = {library};
  EXPECT_THAT(OneLibraryForBoth(old_arm, new_arm).value_or(""),
              AllOf(HasSubstr(library), HasSubstr("the candidate"), HasSubstr("the run path in"),
                    HasSubstr(old_arm.path)));
  {
    const ScopedVariable variable("LD_LIBRARY_PATH", "/a:" + folder_.file("new/lib"));
    EXPECT_THAT(OneLibraryForBoth(new_arm, old_arm).value_or(""),
                AllOf(HasSubstr("the baseline"), HasSubstr("LD_LIBRARY_PATH")));
  }
  {
    const ScopedVariable variable("LD_PRELOAD", library);
    EXPECT_THAT(OneLibraryForBoth(old_arm, new_arm).value_or(""), HasSubstr("LD_PRELOAD"));
  }
  // A build folder is as large as its build system says; two programs of one build share it.
  const std::string deep = Write("new/src/libdeep.so");
  old_arm.libraries = new_arm.libraries = {deep};
  EXPECT_NE(OneLibraryForBoth(old_arm, new_arm), std::nullopt) << "beside bin";
  new_arm.path = Write("new/tests/bench");
  EXPECT_EQ(OneLibraryForBoth(old_arm, new_arm), std::nullopt) << "nothing says what new/ is";
  Write("new/CMakeCache.txt");
  EXPECT_NE(OneLibraryForBoth(old_arm, new_arm), std::nullopt);
  old_arm.path = Write("new/tests/other_bench");
  EXPECT_EQ(OneLibraryForBoth(old_arm, new_arm), std::nullopt);
}

TEST_F(IdentityFiles, ScriptsAreNeverProven) {
  MeasurePlan plan;
  for (const char* label : {"baseline", "candidate"}) {
    const std::string script = Write(std::string(label) + "/launch", "#!/bin/sh\n");
    fs::permissions(script, fs::perms::owner_all);
    plan.arms.push_back({label, inspect_executable(script)});
  }
  const Identity identity = ProveIdentical(plan, "");
  EXPECT_FALSE(identity.proven);
  EXPECT_THAT(identity.why_not, HasSubstr("scripts"));
}

TEST_F(IdentityFiles, OneFileIsItself) {
  MeasurePlan plan;
  plan.arms.push_back({"baseline", inspect_executable(fixture("odd_program"))});
  const std::string link = folder_.file("link");
  fs::create_symlink(fixture("odd_program"), link);
  plan.arms.push_back({"candidate", inspect_executable(link)});
  EXPECT_TRUE(ProveIdentical(plan, "").proven);
  fs::remove(link);
  fs::copy_file(fixture("odd_program"), link);
  const Identity identity = ProveIdentical(plan, "");
  EXPECT_FALSE(identity.proven) << "it runs no cases, so what it maps then is not known";
  EXPECT_THAT(identity.why_not, HasSubstr("baseline: "));
}

}  // namespace
}  // namespace perfgate::measure
