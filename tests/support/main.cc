// SPDX-License-Identifier: Apache-2.0
// main() of every test executable. One executable holds all the tests of a folder;
// `--only=stage_test.cc` runs those of one source file, which is how CTest lists them.
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "tests/support/arguments.h"

namespace perfgate::test_support {
namespace {

std::vector<std::string>& Stored() {
  static std::vector<std::string> arguments;
  return arguments;
}

bool IsFrom(const testing::TestInfo& test, std::string_view file) {
  const std::string_view path(test.file());
  return path.ends_with(file) &&
         (path.size() == file.size() || path[path.size() - file.size() - 1] == '/');
}

// The filter that selects the tests of one source file; empty when there is none.
std::string FilterOf(std::string_view file) {
  std::string filter;
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  for (int s = 0; s < unit.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *unit.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (IsFrom(test, file)) filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

}  // namespace

const std::vector<std::string>& Arguments() { return Stored(); }

std::string OptionValue(const std::string& name) {
  const std::string start = name + "=";
  for (const std::string& argument : Arguments()) {
    if (argument.starts_with(start)) return argument.substr(start.size());
  }
  return {};
}

bool HasFlag(const std::string& name) {
  for (const std::string& argument : Arguments()) {
    if (argument == name) return true;
  }
  return false;
}

std::string SourceFolder() { return PERFGATE_SOURCE_DIR; }

std::string DataFile(const std::string& name) { return SourceFolder() + "/tests/data/" + name; }

}  // namespace perfgate::test_support

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  perfgate::test_support::Stored().assign(argv + 1, argv + argc);
  const std::string only = perfgate::test_support::OptionValue("--only");
  if (!only.empty()) {
    const std::string filter = perfgate::test_support::FilterOf(only);
    if (filter.empty()) {
      std::fprintf(stderr, "no test is defined in %s\n", only.c_str());
      return 1;
    }
    testing::GTEST_FLAG(filter) = filter;
  }
  return RUN_ALL_TESTS();
}
