// SPDX-License-Identifier: Apache-2.0
// verdict_test.cc: the command line on executables whose slowdown is known: none, or twice the
// work.
//
// Tolerances are wide (25 % and up) and effects large (100 %), so that no noise of a machine that
// runs tests decides. Nothing here asserts seconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "perfgate/gtest/gtest.h"
#include "tests/support/arguments.h"

namespace {

using perfgate::Exit;
using perfgate::SuiteVerdict;
using perfgate::Verdict;
using perfgate::testing::HasExit;
using perfgate::testing::HasVerdict;
using perfgate::testing::NoRegressionIn;
using perfgate::testing::Passes;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Paths {
  std::string perfgate, once, twice, stock_once, stock_twice;
};
Paths paths;  // the five arguments of the executable

struct Outcome {
  int exit = -1;
  std::string output;  // standard output and error together
};

Outcome perfgate_command(const std::string& arguments) {
  Outcome outcome;
  FILE* pipe = popen((paths.perfgate + " " + arguments + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  std::size_t got = 0;
  while ((got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
    outcome.output.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

class Gate : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto& given = perfgate::test_support::Arguments();
    ASSERT_EQ(given.size(), 5U) << "usage: PERFGATE ONCE TWICE STOCK_ONCE STOCK_TWICE";
    paths = {given[0], given[1], given[2], given[3], given[4]};
  }
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "perfgate-e2e-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  // Runs the gate and checks that its exit code and its verdict file agree.
  SuiteVerdict gate(const std::string& baseline, const std::string& candidate,
                    const std::string& options) {
    const Outcome outcome = perfgate_command("gate --baseline " + baseline + " --candidate " +
                                             candidate + " --json " + file("verdict.json") +
                                             " --session " + file("session.json") + " " + options);
    printed_ = outcome.output;
    SuiteVerdict verdict = perfgate::read_verdict(file("verdict.json"));
    EXPECT_EQ(outcome.exit, static_cast<int>(verdict.exit)) << printed_;
    return verdict;
  }

  std::string folder_;
  std::string printed_;
};

constexpr const char* kQuick = "--rounds 10 --slice 2ms --tolerance 25%";

TEST_F(Gate, TwiceTheWorkIsARegressionInThatCaseOnly) {
  const SuiteVerdict verdict = gate(paths.once, paths.twice, kQuick);
  EXPECT_THAT(verdict, HasExit(Exit::kRegression)) << printed_;
  EXPECT_THAT(verdict, HasVerdict("changed", Verdict::kRegression));
  EXPECT_THAT(verdict, Not(HasVerdict("same", Verdict::kRegression)));
  EXPECT_TRUE(verdict.complete);
  EXPECT_FALSE(verdict.identical);
  for (const auto& column : verdict.columns) {
    if (column.case_name == "changed") {
      EXPECT_GT(column.effect.lo, 0.5) << printed_;
      EXPECT_LT(column.effect.hi, 2.0) << printed_;
    }
  }
  EXPECT_THAT(printed_, HasSubstr("regression"));
}

TEST_F(Gate, HalfTheWorkPasses) {
  const SuiteVerdict verdict = gate(paths.twice, paths.once, kQuick);
  EXPECT_THAT(verdict, AnyOf(Passes(), HasExit(Exit::kInconclusive))) << printed_;
  EXPECT_THAT(verdict, NoRegressionIn("changed")) << printed_;
}

TEST_F(Gate, AgainstItselfIsNoRegression) {
  const SuiteVerdict verdict = gate(paths.once, paths.once, std::string("--aa ") + kQuick);
  EXPECT_THAT(verdict, AnyOf(Passes(), HasExit(Exit::kInconclusive))) << printed_;
  EXPECT_TRUE(verdict.aa);
  EXPECT_GT(verdict.rounds, 0);
}

TEST_F(Gate, IdenticalExecutablesPassUnmeasured) {
  std::filesystem::copy_file(paths.once, file("copy"));
  const SuiteVerdict verdict = gate(paths.once, file("copy"), "");
  EXPECT_THAT(verdict, Passes()) << printed_;
  EXPECT_TRUE(verdict.identical);
  EXPECT_EQ(verdict.rounds, 0);
  EXPECT_EQ(verdict.columns.size(), 2U);
  EXPECT_THAT(verdict, NoRegressionIn("*"));
}

// Executables that know nothing of perfgate are measured by a preloaded worker where they link the
// library dynamically, else process by process. The verdict is the same.
TEST_F(Gate, UnmodifiedGoogleBenchmarkExecutables) {
  for (const char* preload : {"", "--no-preload "}) {
    const SuiteVerdict verdict =
        gate(paths.stock_once, paths.stock_twice, std::string("--pairs 2 ") + preload + kQuick);
    EXPECT_THAT(verdict, HasExit(Exit::kRegression)) << printed_;
    EXPECT_THAT(verdict, HasVerdict("changed", Verdict::kRegression)) << preload;
    EXPECT_THAT(verdict, Not(HasVerdict("same", Verdict::kRegression))) << preload;
    const perfgate::Session session = perfgate::read_session(file("session.json"));
    if (*preload == '\0') continue;
    EXPECT_NE(session.arms[0].driver, perfgate::DriverKind::kWorker);
  }
}

TEST_F(Gate, AnUnmodifiedExecutableAgainstItselfIsNoRegression) {
  const SuiteVerdict verdict =
      gate(paths.stock_once, paths.stock_once, std::string("--aa ") + kQuick);
  EXPECT_THAT(verdict, AnyOf(Passes(), HasExit(Exit::kInconclusive))) << printed_;
  EXPECT_GT(verdict.rounds, 0);
}

TEST_F(Gate, AFilterLimitsTheSuite) {
  const SuiteVerdict verdict =
      gate(paths.once, paths.twice, std::string("--filter '^same$' ") + kQuick);
  EXPECT_THAT(verdict, Not(HasExit(Exit::kRegression))) << printed_;
  ASSERT_EQ(verdict.columns.size(), 1U);
  EXPECT_EQ(verdict.columns.front().case_name, "same");
}

TEST_F(Gate, TheSessionFileHoldsTheRoundsThatDecided) {
  gate(paths.once, paths.twice, kQuick);
  const perfgate::Session session = perfgate::read_session(file("session.json"));
  EXPECT_EQ(session.rounds.size(), 10U);
  EXPECT_EQ(session.cases.size(), 2U);
  ASSERT_EQ(session.arms.size(), 2U);
  EXPECT_NE(session.arms[0].digest, session.arms[1].digest);
}

TEST_F(Gate, AVerdictFileCanBeReportedAgain) {
  gate(paths.once, paths.twice, kQuick);
  const Outcome report = perfgate_command("report " + file("verdict.json"));
  EXPECT_THAT(report.output, HasSubstr("changed"));
  EXPECT_THAT(report.output, HasSubstr("regression"));
}

TEST_F(Gate, WrapperMistakesAreNoVerdicts) {
  EXPECT_EQ(perfgate_command("gate --candidate " + paths.once).exit, 64);
  EXPECT_EQ(perfgate_command("gate --nonsense").exit, 64);
  EXPECT_EQ(perfgate_command("gate --baseline " + paths.once + " --candidate /absent").exit, 65);
  EXPECT_EQ(perfgate_command("report /absent").exit, 65);
}

}  // namespace
