// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/sampling/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/code/elf_image.h"
#include "perfgate/code/sampling/mappings.h"
#include "tests/perfgate/code/built_program.h"

namespace perfgate::code {

// About a second of CPU time in one function.
constexpr const char* kBusy = R"(
#include <ctime>
extern "C" __attribute__((noinline)) double busy(double x) {
  for (int i = 0; i < 100000; ++i) x = x * 0.999 + 1.0;
  return x;
}
int main(int, char**) {
  volatile double x = 1;
  while (std::clock() < CLOCKS_PER_SEC) x = busy(x);
}
)";

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

double ShareIn(const ProgramSamples& samples, const std::string& function, int& total) {
  ElfImage image;
  ReadElf(samples.executable, image);
  int hits = 0;
  total = 0;
  for (const auto& [place, count] : samples.counts) {
    total += count;
    if (place.path != samples.executable) continue;
    const auto address = AddressOfOffset(image, place.offset);
    const Object* object = address ? ObjectAt(image, *address, true) : nullptr;
    if (object != nullptr && object->names.front() == function) hits += count;
  }
  return total == 0 ? 0 : static_cast<double>(hits) / total;
}

class Sampling : public testing::TestWithParam<SamplingMeans> {
 protected:
  void SetUp() override {
    if (GetParam() == SamplingMeans::kKernel && !KernelSamples()) GTEST_SKIP() << "not permitted";
  }
  PrivateFolder folder_{"perfgate-sample-test-"};
};

TEST_P(Sampling, FindsTheBusyFunction) {
  for (const char* flags : {"-O1", "-O1 -fno-pie -no-pie"}) {
    SampleRequest request;
    request.executable = BuildProgram(folder_.file("busy"), {{"busy.cc", kBusy}}, flags);
    ProgramSamples samples;
    ASSERT_EQ(SampleProgram(request, GetParam(), samples), "");
    int total = 0;
    EXPECT_GT(ShareIn(samples, "busy", total), 0.9) << total;
    EXPECT_GT(total, 50);
    EXPECT_EQ(samples.stacks.size(), static_cast<std::size_t>(total));
    // At least the return into main. That a stack is whole cannot be asked for: the kernel stops at
    // pages that were never touched, which lie between main and the environment or not.
    const auto with_callers = std::count_if(
        samples.stacks.begin(), samples.stacks.end(),
        [](const SampledStack& stack) { return stack.whole || !stack.words.empty(); });
    EXPECT_GE(with_callers, total * 99 / 100);
    EXPECT_TRUE(samples.files.contains(samples.executable));
  }
}

TEST_P(Sampling, SaysWhatFailed) {
  SampleRequest request;
  request.executable = "/bin/false";
  ProgramSamples samples;
  EXPECT_THAT(SampleProgram(request, GetParam(), samples), HasSubstr("exited with code 1"));
}

INSTANTIATE_TEST_SUITE_P(Means, Sampling,
                         testing::Values(SamplingMeans::kKernel, SamplingMeans::kPreload));

TEST(Preload, AStaticExecutableIsNotSampled) {
  const PrivateFolder folder("perfgate-sample-test-");
  SampleRequest request;
  request.executable = BuildProgram(folder.file("busy"), {{"busy.cc", "int main() {}"}}, "-static");
  ProgramSamples samples;
  EXPECT_THAT(SampleProgram(request, SamplingMeans::kPreload, samples), HasSubstr("static"));
}

TEST(Mappings, PlacesAddressesInFiles) {
  Mappings mappings;
  AddMappingLines(
      "1000-2000 r--p 00000000 08:01 7 /bin/a\n"
      "2000-3000 r-xp 00001000 08:01 7 /bin/a b\n"
      "5000-6000 r-xp 00000000 00:00 0 \n"
      "7000-8000 r-xp 00000000 00:00 0 [vdso]\n",
      mappings);
  EXPECT_EQ(PlaceOf(mappings, 0x2010), (CodePlace{"/bin/a b", 0x1010}));
  EXPECT_EQ(PlaceOf(mappings, 0x3000), CodePlace{});
  EXPECT_EQ(PlaceOf(mappings, 0x1800), CodePlace{});
  EXPECT_EQ(PlaceOf(mappings, 0x5010).path, "");
  EXPECT_EQ(PlaceOf(mappings, 0x7010).path, "[vdso]");
  EXPECT_TRUE(IsCode(mappings, 0x2fff));
  EXPECT_FALSE(IsCode(mappings, 0x1800));
  EXPECT_THAT(mappings.ends, ElementsAre(0x2000, 0x3000, 0x6000, 0x8000));
}

}  // namespace
}  // namespace perfgate::code
