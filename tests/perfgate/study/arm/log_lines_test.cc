// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/log_lines.h"

#include <gtest/gtest.h>

namespace perfgate::study {
namespace {

TEST(LogLines, EveryKindIsKnownByItsLine) {
  const std::pair<const char*, const char*> kLines[] = {
      {"x.cc:(.text+0x1): undefined reference to `f()'", "undefined_reference"},
      {"ImportError: a.so: undefined symbol: _Z1fv", "undefined_reference"},
      {"RuntimeError: CUDA error: no kernel image is available", "cuda"},
      {"torch.cuda.OutOfMemoryError: CUDA out of memory.", "out_of_memory"},
      {"hipErrorNoBinaryForGpu: Unable to find code object", "hip"},
      {"terminate called after throwing an instance of 'std::bad_alloc'", "out_of_memory"},
      {"c++: fatal error: Killed signal terminated program cc1plus", "killed"},
      {"ModuleNotFoundError: No module named 'torch'", "missing_module"},
      {"ERROR: No matching distribution found for vllm==0.6", "missing_wheel"},
      {"a.cc:1:10: fatal error: x.h: No such file or directory", "missing_header"},
      {"bench: error: unrecognized command-line flag: --foo", "unknown_option"},
      {"This model's maximum context length is 4096 tokens", "context_length"},
      {"sh: 1: clang++: not found", "missing_program"},
      {"touch: cannot touch '/usr/x': Read-only file system", "read_only"},
      {"fatal: unable to access: Could not resolve host: github.com", "network"},
      {"error: patch failed: work.cc:1", "patch"},
      {"Segmentation fault (core dumped)", "crash"},
      {"[  FAILED  ] A.B (0 ms)", "test"},
      {"a.cc:3:1: error: expected ';'", "compile"},
  };
  for (const auto& [line, kind] : kLines) EXPECT_EQ(KindOfLine(line), kind) << line;
  EXPECT_EQ(KindOfLine("[ 50%] Building CXX object a.o"), "");
}

TEST(LogLines, KeepsNumbersOrderAndTwoOfAKind) {
  std::string log = "start\n";
  for (int i = 0; i < 4; ++i) log += "a.cc:1:1: error: bad\n";
  log += "\nb.o: undefined reference to `f'\nmake: *** [all] Error 1\n";
  const std::vector<LogLine> lines = TellingLines(log);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], (LogLine{2, "compile", "a.cc:1:1: error: bad"}));
  EXPECT_EQ(lines[1].line, 3);
  EXPECT_EQ(lines[2].line, 7);
  EXPECT_EQ(lines[2].kind, "undefined_reference");
}

TEST(LogLines, AtMostFiveAndCausesFirst) {
  std::string log;
  for (const char* line : {"error: one", "error: two", "CMake Error at x", "CMake Error at y",
                           "Aborted", "Segmentation fault", "x: undefined reference to `f'"}) {
    log += std::string(line) + "\n";
  }
  const std::vector<LogLine> lines = TellingLines(log);
  ASSERT_EQ(lines.size(), kMostLogLines);
  EXPECT_TRUE(HasKind(lines, "undefined_reference"));
  EXPECT_FALSE(HasKind(lines, "error"));
}

TEST(LogLines, WithoutAKnownLineTheLastThree) {
  const std::vector<LogLine> lines = TellingLines("a\nb\n\nc\nd");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], (LogLine{2, "last", "b"}));
  EXPECT_EQ(lines[2], (LogLine{5, "last", "d"}));
  EXPECT_TRUE(TellingLines("").empty());
}

TEST(LogLines, LongAndBinaryLinesAreShown) {
  const std::vector<LogLine> lines = TellingLines("error: \x1b[31m" + std::string(5000, 'x'));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LT(lines[0].text.size(), 400U);
  EXPECT_EQ(lines[0].text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace perfgate::study
