// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/engine_suite.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "perfgate/verdict/verdict_file.h"

namespace engine_suite {
namespace {

using perfgate::ColumnVerdict;
using perfgate::SuiteVerdict;

std::string Output(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  pclose(pipe);
  std::printf("%s", output.c_str());
  return output;
}

}  // namespace

SuiteVerdict Judge(const std::string& what, std::string* output) {
  std::string file = ::testing::TempDir() + "engine_suite_XXXXXX";
  const int made = ::mkstemp(file.data());
  EXPECT_GE(made, 0) << file;
  ::close(made);
  const std::string text = Output(std::string(PERFGATE_EXE) + " " + what + " --json " + file);
  if (output != nullptr) {
    *output = text;
  }
  SCOPED_TRACE(text);
  SuiteVerdict verdict = perfgate::read_verdict(file);
  std::filesystem::remove(file);
  return verdict;
}

SuiteVerdict Gate(const std::string& baseline, const std::string& candidate,
                  const std::string& options) {
  return Judge("gate --baseline " + baseline + " --candidate " + candidate + " " + options);
}

const ColumnVerdict& Column(const SuiteVerdict& verdict, const std::string& part,
                            const std::string& metric) {
  for (const ColumnVerdict& column : verdict.columns) {
    if (column.case_name.find(part) != std::string::npos && column.metric.name == metric) {
      return column;
    }
  }
  ADD_FAILURE() << part << " [" << metric << "] is not in the verdict";
  static const ColumnVerdict none;
  return none;
}

}  // namespace engine_suite
