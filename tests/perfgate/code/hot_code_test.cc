// SPDX-License-Identifier: Apache-2.0
// From samples to what is said of a case. The samples are made by hand, from the symbols of real
// executables.
#include "perfgate/code/hot_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/code/elf_image.h"
#include "tests/perfgate/code/built_program.h"

namespace perfgate::code {

constexpr const char* kProgram = R"(
extern "C" __attribute__((noinline)) int hot(int x) { return x * 5 + 3; }
extern "C" __attribute__((noinline)) int warm(int x) { return x * 7; }
extern "C" __attribute__((noinline)) int apart(int x) { return x ^ 21; }
extern "C" __attribute__((noinline)) int caller(int x) { return hot(x) + 1; }
extern "C" __attribute__((noinline)) int root(int x) { return caller(x) * 2; }
int main(int argc, char**) { return root(argc) + warm(argc) + apart(argc); }
)";

namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::StartsWith;

class HotCodeTest : public testing::Test {
 protected:
  std::string Build(const std::string& name, const std::string& from = "",
                    const std::string& to = "", const std::string& flags = "-O1") {
    std::string text = kProgram;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    return BuildProgram(folder_.file(name), {{"program.cc", text}}, flags);
  }

  // So many samples in the middle of each function.
  static ProgramSamples Samples(const std::string& executable,
                                const std::map<std::string, int>& counts) {
    ElfImage image;
    ReadElf(executable, image);
    ProgramSamples samples;
    samples.executable = executable;
    samples.files = {executable};
    for (const auto& [name, count] : counts) {
      const Object* function = FunctionNamed(image, name);
      if (function == nullptr) {
        ADD_FAILURE() << name;
        continue;
      }
      const std::uint64_t address = function->address + function->size / 2;
      for (const Segment& segment : image.segments) {
        if (address < segment.address || address >= segment.address + segment.file_size) continue;
        samples.counts[{executable, segment.offset + address - segment.address}] += count;
      }
    }
    return samples;
  }

  PrivateFolder folder_{"perfgate-hot-code-test-"};
};

TEST_F(HotCodeTest, OnlyWhatIsHotCounts) {
  const std::string base = Build("base");
  // So much longer that what follows moves.
  const std::string other =
      Build("other", "x ^ 21", "(x ^ 22) * (x + 5) + (x >> 3) * (x ^ 77) - (x << 2) * (x + 9)");
  const CodeComparison same =
      CompareHotCode(Samples(base, {{"hot", 995}, {"apart", 5}}), Samples(other, {{"hot", 1000}}));
  EXPECT_EQ(same.status, CodeStatus::kUnchanged) << same.reason;
  EXPECT_NEAR(same.same_share, 0.995, 1e-9);
  // Two per cent in either arm are too many.
  const CodeComparison changed =
      CompareHotCode(Samples(base, {{"hot", 1000}}), Samples(other, {{"hot", 980}, {"apart", 20}}));
  EXPECT_EQ(changed.status, CodeStatus::kChanged);
  EXPECT_THAT(changed.changed, ElementsAre(Field(&HotFunction::symbol, "apart")));
  EXPECT_NEAR(changed.changed[0].share, 0.02, 1e-9);
}

TEST_F(HotCodeTest, WhatDidNotMoveIsNotSlowerByItsPlace) {
  const std::string base = Build("base");
  const std::string copy = folder_.file("copy");
  write_file_atomically(copy, read_file_text(base) + "x");
  const CodeComparison found =
      CompareHotCode(Samples(base, {{"hot", 1000}}), Samples(copy, {{"hot", 1000}}));
  EXPECT_EQ(found.status, CodeStatus::kUnknown);
  EXPECT_THAT(found.reason, HasSubstr("at the same addresses"));
}

TEST_F(HotCodeTest, AChangedCallerIsAChange) {
  const std::string base = Build("base");
  const std::string other = Build("other", "caller(x) * 2", "caller(x) * 3");
  const CodeComparison found =
      CompareHotCode(Samples(base, {{"hot", 1000}}), Samples(other, {{"hot", 1000}}));
  EXPECT_EQ(found.status, CodeStatus::kChanged);
  EXPECT_THAT(found.changed, ElementsAre(Field(&HotFunction::symbol, "root")));
  // Of a function that nothing changed calls, it is none.
  EXPECT_EQ(
      CompareHotCode(Samples(base, {{"apart", 1000}}), Samples(other, {{"apart", 1000}})).status,
      CodeStatus::kUnchanged);
}

TEST_F(HotCodeTest, ARemovedFunctionIsAChange) {
  const std::string base = Build("base");
  const std::string other = Build("other", "hot(x) + 1", "apart(x) + 1");
  EXPECT_EQ(
      CompareHotCode(Samples(base, {{"caller", 1000}}), Samples(other, {{"caller", 1000}})).status,
      CodeStatus::kChanged);
}

TEST_F(HotCodeTest, StrippedIsNotChecked) {
  const std::string base = Build("base");
  const std::string other = Build("other", "x ^ 21", "x ^ 22");
  const ProgramSamples before = Samples(base, {{"hot", 1000}});
  const ProgramSamples after = Samples(other, {{"hot", 1000}});
  ASSERT_EQ(std::system(("strip " + other).c_str()), 0);
  const CodeComparison found = CompareHotCode(before, after);
  EXPECT_EQ(found.status, CodeStatus::kUnknown);
  EXPECT_THAT(found.reason, StartsWith("stripped: "));
}

TEST_F(HotCodeTest, FewSamplesSayNothing) {
  const std::string base = Build("base");
  const std::string other = Build("other", "x ^ 21", "x ^ 22");
  const CodeComparison found =
      CompareHotCode(Samples(base, {{"hot", 199}}), Samples(other, {{"hot", 1000}}));
  EXPECT_EQ(found.status, CodeStatus::kUnknown);
  EXPECT_EQ(found.reason, "too few samples (199)");
}

TEST_F(HotCodeTest, CodeOutsideAnyFileIsUnknown) {
  const std::string base = Build("base");
  const std::string other = Build("other", "x ^ 21", "x ^ 22");
  ProgramSamples after = Samples(other, {{"hot", 900}});
  after.counts[{"", 0}] = 100;
  EXPECT_EQ(CompareHotCode(Samples(base, {{"hot", 1000}}), after).status, CodeStatus::kUnknown);
}

TEST_F(HotCodeTest, ALibraryOfOneArmAloneIsAChange) {
  const std::string base = Build("base");
  const std::string other = Build("other", "x ^ 21", "x ^ 22");
  ProgramSamples after = Samples(other, {{"hot", 900}});
  after.files.insert("/opt/libnew.so");
  after.counts[{"/opt/libnew.so", 64}] = 100;
  EXPECT_EQ(CompareHotCode(Samples(base, {{"hot", 1000}}), after).status, CodeStatus::kChanged);
}

}  // namespace
}  // namespace perfgate::code
