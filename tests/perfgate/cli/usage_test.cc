// SPDX-License-Identifier: Apache-2.0
// The command line itself: words it does not know, values it cannot use, help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/base/error.h"
#include "tests/perfgate/cli/run_perfgate.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_command::Command;
using testing_command::Finished;
using testing_command::run_perfgate;
using testing_command::TemporaryFolder;

void expect_usage(const std::vector<std::string>& arguments, const std::string& message) {
  const Finished finished = run_perfgate(arguments);
  SCOPED_TRACE(testing::PrintToString(arguments));
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kUsage));
  EXPECT_THAT(finished.err, StartsWith("perfgate: "));
  EXPECT_THAT(finished.err, HasSubstr(message));
  EXPECT_EQ(finished.out, "");
}

TEST(Usage, NamesTheNearestOption) {
  expect_usage({"gate", "--tolerence", "2%"}, "'--tolerence'; did you mean '--tolerance'?");
  expect_usage({"gate", "--tolerence=2%"}, "did you mean '--tolerance'?");
  expect_usage({"run", "x", "--bugdet", "2s"}, "did you mean '--budget'?");
  expect_usage({"report", "x", "--formt", "md"}, "did you mean '--format'?");
  expect_usage({"gate", "--frobnicate"}, "'--frobnicate'");
}

TEST(Usage, NamesTheNearestCommand) {
  expect_usage({"gat"}, "'gat'; did you mean 'gate'?");
  expect_usage({"reprot", "x.json"}, "did you mean 'report'?");
  expect_usage({"--verson"}, "did you mean '--version'?");
  expect_usage({"frobnicate"}, "'frobnicate'");
}

TEST(Usage, SaysWhatIsMissing) {
  expect_usage({}, "--help");
  expect_usage({"gate"}, "--baseline");
  expect_usage({"gate", "--baseline", QUICK_CASES_EXE}, "--candidate is missing");
  expect_usage({"gate", "--candidate", QUICK_CASES_EXE}, "--baseline is missing");
  expect_usage({"report"}, "FILE");
  expect_usage({"audit"}, "FILE");
  expect_usage({"run"}, "BIN");
  expect_usage({"calibrate"}, "BIN");
  expect_usage({"plan"}, "CALIBRATION");
}

TEST(Usage, TakesTheArmsByTheirPlaces) {
  const Finished finished = run_perfgate({"gate", QUICK_CASES_EXE, QUICK_CASES_EXE});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("the same executable"));
  expect_usage({"gate", QUICK_CASES_EXE}, "--candidate is missing");
  expect_usage({"gate", "a/b", "c/d", "e/f"}, "perfgate compare");
  expect_usage({"gate", "--baseline", QUICK_CASES_EXE, QUICK_CASES_EXE}, "perfgate gate OLD NEW");
  expect_usage({"gate", "gzip -1 x", "gzip -6 x"}, "--command -- 'A' 'B'");
  expect_usage({"gate", "old_bench", "new_bench"}, "build the benchmark first");
}

TEST(Usage, TellsAFileNamePatternFromAFilter) {
  expect_usage({"gate", QUICK_CASES_EXE, SLOWER_EXE, "--filter", "*two"}, "write '.*two'");
}

struct BadValue {
  const char* option;
  const char* value;
};

class BadValues : public testing::TestWithParam<BadValue> {};

TEST_P(BadValues, AreRefusedByNameAndValue) {
  const auto [option, value] = GetParam();
  const std::string name = std::string(option).substr(2);
  const Finished finished = run_perfgate(
      {"gate", "--baseline", QUICK_CASES_EXE, "--candidate", QUICK_CASES_EXE, option, value});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kUsage)) << option << " " << value;
  std::string message = finished.err;
  for (char& c : message) c = c == '-' ? '_' : c;
  std::string word = name;
  for (char& c : word) c = c == '-' ? '_' : c;
  EXPECT_THAT(message, HasSubstr(word));
  EXPECT_EQ(finished.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Options, BadValues,
    testing::Values(BadValue{"--tolerance", "two"}, BadValue{"--tolerance", "-1%"},
                    BadValue{"--tolerance", "nan"}, BadValue{"--tolerance", "2000%"},
                    BadValue{"--tolerance", ""}, BadValue{"--alpha", "0"},
                    BadValue{"--alpha", "0.6"}, BadValue{"--alpha", "x"},
                    BadValue{"--hide-limit", "-5%"}, BadValue{"--hide-limit", "10 percent"},
                    BadValue{"--budget", "0s"}, BadValue{"--budget", "-3s"},
                    BadValue{"--budget", "soon"}, BadValue{"--budget", "5 fortnights"},
                    BadValue{"--budget", "inf"}, BadValue{"--rounds", "0"},
                    BadValue{"--rounds", "-1"}, BadValue{"--rounds", "ten"},
                    BadValue{"--rounds", "1000000"}, BadValue{"--rounds", "99999999999999999999"},
                    BadValue{"--slice", "0"}, BadValue{"--slice", "1h"},
                    BadValue{"--slice", "10 mm"}, BadValue{"--pairs", "0"},
                    BadValue{"--pairs", "1.5"}, BadValue{"--filter", "("},
                    BadValue{"--filter", "[z-a]"}, BadValue{"--seed", "xyz"},
                    BadValue{"--seed", "12345678901234567"}, BadValue{"--seed", "-1"},
                    BadValue{"--cpu", "one"}, BadValue{"--cpu", "1,,x"}));

TEST(Usage, RefusesAnAaGateOfTwoExecutables) {
  const TemporaryFolder folder;
  const std::string other = folder / "other";
  testing_command::write_text(other, testing_command::read_text(QUICK_CASES_EXE) + "x");
  std::filesystem::permissions(other, std::filesystem::perms::owner_all);
  expect_usage({"gate", "--aa", "--baseline", QUICK_CASES_EXE, "--candidate", other}, "--aa");
}

// The word right after each option's dashes, taken from the sources, so that none is forgotten.
TEST(Help, MentionsEveryOption) {
  const std::string sources = perfgate::test_support::SourceFolder() + "/perfgate/cli/";
  const std::pair<const char*, std::vector<const char*>> commands[] = {
      {"gate", {"gate.cc", "options.cc"}},
      {"calibrate", {"calibrate.cc"}},
      {"plan", {"plan.cc"}},
      {"report", {"report.cc"}},
      {"audit", {"audit.cc"}},
      {"doctor", {"doctor.cc"}}};
  std::size_t options = 0;
  for (const auto& [name, files] : commands) {
    const Finished help = run_perfgate({name, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_THAT(help.out, HasSubstr("Usage"));
    for (const char* file : files) {
      const std::string text = testing_command::read_text(sources + file);
      for (std::size_t at = text.find("app.add_"); at != std::string::npos;
           at = text.find("app.add_", at + 1)) {
        const std::size_t begin = text.find('"', at) + 1;
        const std::string option = text.substr(begin, text.find_first_of("\",", begin) - begin);
        EXPECT_THAT(help.out, HasSubstr(option)) << name;
        ++options;
      }
    }
  }
  EXPECT_GT(options, 20U);
  const Finished top = run_perfgate({"--help"});
  for (const char* word : {"gate", "run", "calibrate", "plan", "report", "audit", "doctor",
                           "Exit codes", "--version"}) {
    EXPECT_THAT(top.out, HasSubstr(word));
  }
  EXPECT_THAT(run_perfgate({"run", "--help"}).out, HasSubstr("--rounds"));
  EXPECT_THAT(run_perfgate({"--version"}).out, StartsWith("perfgate "));
}

TEST(FullDisk, IsNeverSuccess) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"},
        {"gate", "--help"},
        {"--version"},
        {"gate", "--baseline", QUICK_CASES_EXE, "--candidate", QUICK_CASES_EXE},
        {"gate", "--baseline", QUICK_CASES_EXE, "--candidate", QUICK_CASES_EXE, "--json", "-"}}) {
    Command command;
    command.arguments = arguments;
    command.arguments.insert(command.arguments.begin(), PERFGATE_EXE);
    command.stdout_path = "/dev/full";
    const Finished finished = run_command(command);
    EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kData)) << arguments[0];
    EXPECT_THAT(finished.err, HasSubstr("No space left"));
  }
}

}  // namespace
}  // namespace perfgate
