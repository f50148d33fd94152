// SPDX-License-Identifier: Apache-2.0
// Which callers of hot code count: real programs, sampled both ways.
#include "perfgate/code/callers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/code/hot_code.h"
#include "perfgate/code/sampling/sample.h"
#include "tests/perfgate/code/built_program.h"

namespace perfgate::code {

// A benchmark library of one function. Nearly all time is spent in hot().
constexpr const char* kCallers = R"(
#include <ctime>
#define FUNCTION extern "C" __attribute__((noinline))
FUNCTION double never(double x);
FUNCTION double hot(double x, int n) {
  for (int i = 0; i < n; ++i) x = x * 0.999 + 1.0;
  return x;
}
FUNCTION double never(double x) { return hot(x, 10) + 1; }
FUNCTION double jumps(double x, int n) { return hot(x + 2, n + 5); }
FUNCTION double calls(double x) { return hot(x, 200000) + jumps(x, 200000); }
FUNCTION double indirect(double x, double (*f)(double)) { return f(x) + 1; }
FUNCTION double pointed(double x) { return calls(x) + 4; }
FUNCTION void bench() {
  volatile double x = 1;
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC;
  while (std::clock() < end) x = indirect(x, pointed);
}
namespace benchmark {
__attribute__((noinline)) int Run(int cases) {
  for (int i = 0; i < cases; ++i) bench();
  return cases;
}
}
int main(int argc, char**) {
  if (argc > 5) return never(argc);
  return benchmark::Run(1) - 1;
}
)";

namespace {

using testing::Contains;
using testing::Field;

class CallersOnStacks : public testing::TestWithParam<SamplingMeans> {
 protected:
  void SetUp() override {
    if (GetParam() == SamplingMeans::kKernel && !KernelSamples()) GTEST_SKIP() << "not permitted";
  }

  // Sampled, with `from` replaced by `to`.
  ProgramSamples Sampled(const std::string& from = "", const std::string& to = "") {
    std::string text = kCallers;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    SampleRequest request;
    request.executable = BuildProgram(folder_.file("p" + std::to_string(++built_)),
                                      {{"callers.cc", text}}, "-O1 -foptimize-sibling-calls");
    ProgramSamples samples;
    for (int launch = 0; launch < 20 && samples.stacks.size() < 250; ++launch) {
      EXPECT_EQ(SampleProgram(request, GetParam(), samples), "");
    }
    return samples;
  }

  PrivateFolder folder_{"perfgate-callers-test-"};
  int built_ = 0;
};

TEST_P(CallersOnStacks, OneThatNeverRanDoesNotCount) {
  const ProgramSamples base = Sampled();
  const ProgramSamples other = Sampled("hot(x, 10) + 1", "hot(x, 11) * (x + 5) - x / (x + 3)");
  const CodeComparison found = CompareHotCode(base, other);
  EXPECT_EQ(found.status, CodeStatus::kUnchanged)
      << found.reason << (found.changed.empty() ? "" : found.changed[0].symbol);

  // It may have run where two of a hundred stacks were not read.
  ProgramSamples unread = other;
  for (std::size_t i = 0; i < unread.stacks.size(); i += 50) unread.stacks[i] = {};
  const CodeComparison careful = CompareHotCode(base, unread);
  EXPECT_EQ(careful.status, CodeStatus::kChanged);
  EXPECT_THAT(careful.changed, Contains(Field(&HotFunction::symbol, "never")));
}

TEST_P(CallersOnStacks, OneThatPassesAnotherCountIsAChange) {
  const ProgramSamples base = Sampled();
  const std::map<std::string, std::array<std::string, 2>> changes = {
      {"calls", {"jumps(x, 200000)", "jumps(x, 200001)"}},
      {"jumps", {"n + 5", "n + 6"}},  // not on the stack while hot() runs
      {"pointed", {"calls(x) + 4", "calls(x) + 5"}},
      {"bench", {"std::clock() + C", "std::clock() + 10 + C"}},
  };
  for (const auto& [name, change] : changes) {
    const CodeComparison found = CompareHotCode(base, Sampled(change[0], change[1]));
    EXPECT_EQ(found.status, CodeStatus::kChanged) << name << found.reason;
    EXPECT_THAT(found.changed, Contains(Field(&HotFunction::symbol, name)));
  }
}

TEST_P(CallersOnStacks, TheBenchmarkLibraryAndWhatCallsItDoNotCount) {
  const ProgramSamples base = Sampled();
  EXPECT_EQ(CompareHotCode(base, Sampled("i < cases", "i < 2 * cases - 1")).status,
            CodeStatus::kUnchanged);
  EXPECT_EQ(CompareHotCode(base, Sampled("Run(1) - 1", "Run(argc) - argc")).status,
            CodeStatus::kUnchanged);
}

INSTANTIATE_TEST_SUITE_P(Means, CallersOnStacks,
                         testing::Values(SamplingMeans::kKernel, SamplingMeans::kPreload));

}  // namespace
}  // namespace perfgate::code
