// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/demo/demo_arms.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace perfgate::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kChanged = "demo/changed";
constexpr std::string_view kUnchanged = "demo/unchanged";

bool HasOutcome(const SuiteVerdict& verdict, std::string_view name, Verdict outcome) {
  return std::any_of(verdict.columns.begin(), verdict.columns.end(), [&](const ColumnVerdict& c) {
    return c.case_name == name && c.verdict == outcome;
  });
}

}  // namespace

std::string DemoExecutable(const std::string& version) {
  const std::string name = "perfgate_demo_" + version;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {".", PERFGATE_LIBRARIES_FROM_PROGRAM}) {
    const fs::path file = (folder / place / name).lexically_normal();
    if (fs::is_regular_file(file, error)) return file.string();
  }
  throw Error(Exit::kData,
              "the demo needs " + name + ", which is neither in " + folder.string() + " nor in " +
                  (folder / PERFGATE_LIBRARIES_FROM_PROGRAM).lexically_normal().string() +
                  "; install perfgate again, or build the target perfgate");
}

Exit DemoExit(const SuiteVerdict& verdict) {
  const bool shown = HasOutcome(verdict, kChanged, Verdict::kRegression) &&
                     HasOutcome(verdict, kUnchanged, Verdict::kNoRegression);
  if (shown) return Exit::kPass;
  return verdict.exit == Exit::kPass || verdict.exit == Exit::kRegression ? Exit::kInconclusive
                                                                          : verdict.exit;
}

std::string DemoText(const SuiteVerdict& verdict) {
  if (DemoExit(verdict) != Exit::kPass) {
    return "\nThe demo expected a regression in demo/changed, which does 5 % more work, and none "
           "in\n"
           "demo/unchanged. This machine did not show that. Close what else runs and try again:\n"
           "\n"
           "  perfgate doctor     # is this machine fit to measure?\n"
           "  perfgate demo\n";
  }
  return "\ndemo/changed does 5 % more work in the new version: the gate names it. demo/unchanged "
         "does\n"
         "the same work in both: it passes. With your own executables the exit code would be 10.\n"
         "\n"
         "Next, gate two builds of a Google Benchmark executable of your own:\n"
         "\n"
         "  perfgate gate OLD NEW\n"
         "  perfgate gate --help\n";
}

}  // namespace perfgate::cli
