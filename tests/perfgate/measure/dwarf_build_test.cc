// SPDX-License-Identifier: Apache-2.0
// How unmodified executables were built, from their debug information. Executables are compiled
// here as people compile theirs, with the compiler of this build.
#include "perfgate/measure/dwarf_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "perfgate/base/io/private_folder.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(DwarfBuild, ReadsTheSwitchesOfGcc) {
  const auto build = BuildFromProducers(
      {"GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fasynchronous-unwind-tables"});
  ASSERT_TRUE(build);
  EXPECT_TRUE(build->known);
  EXPECT_TRUE(build->optimized);
  EXPECT_EQ(build->compiler, "GNU 12.2.0");
  EXPECT_EQ(build->codegen, "O2 march=x86-64");
}

TEST(DwarfBuild, NoLevelIsNoOptimisation) {
  const auto none = BuildFromProducers({"GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g"});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->known);
  EXPECT_FALSE(none->optimized);
  EXPECT_EQ(none->codegen, "O0 march=x86-64");
  EXPECT_FALSE(BuildFromProducers({"GNU C17 13.1.0 -O3 -O0"})->optimized) << "the last one counts";
  // Different units are all told, and one that is optimised is enough to call it so.
  const auto mixed =
      BuildFromProducers({"GNU C++17 12.2.0 -O3 -mavx2 -ffast-math", "GNU C17 12.2.0 -g"});
  EXPECT_TRUE(mixed->optimized);
  EXPECT_EQ(mixed->codegen, "O0, O3 ffast-math mavx2");
}

TEST(DwarfBuild, SaysNothingThatItDoesNotKnow) {
  const auto clang = BuildFromProducers({"Debian clang version 14.0.6"});
  ASSERT_TRUE(clang);
  EXPECT_FALSE(clang->known) << "clang records no switches";
  EXPECT_EQ(clang->compiler, "Clang 14.0.6");
  EXPECT_EQ(clang->codegen, "");
  EXPECT_FALSE(BuildFromProducers({"GNU C++17 12.2.0"})->known) << "-gno-record-gcc-switches";
  EXPECT_FALSE(BuildFromProducers({}));
  EXPECT_FALSE(BuildFromProducers({"GNU AS 2.40", "version", "", "clang version"}));
  EXPECT_FALSE(BuildFromDwarf({"/absent", "/bin/sh", "/proc/self/cmdline"}));
}

TEST(DwarfBuild, OfAnExecutable) {
  const PrivateFolder folder("perfgate-test-");
  const std::string source = folder.file("main.cc");
  std::ofstream(source) << "int main() { return 0; }\n";
  const auto built = [&](const std::string& options) {
    const std::string program = folder.file("program");
    const std::string command =
        std::string(PERFGATE_COMPILER) + " " + options + " -o " + program + " " + source;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return BuildFromDwarf({program});
  };
  const auto debug = built("-g -O0");
  ASSERT_TRUE(debug);
  if (!debug->known) GTEST_SKIP() << debug->compiler << " records no switches";
  EXPECT_THAT(debug->compiler, StartsWith("GNU "));
  EXPECT_FALSE(debug->optimized);
  EXPECT_TRUE(built("-g -O2")->optimized);
  EXPECT_THAT(built("-g -O2")->codegen, HasSubstr("O2"));
  EXPECT_TRUE(built("-g -gz -O3")->optimized) << "compressed sections";
  EXPECT_FALSE(built("-O2 -s"));
}

}  // namespace
}  // namespace perfgate::measure
