// SPDX-License-Identifier: Apache-2.0
// perfgate demo: what a new user types first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/cli/demo/demo_arms.h"
#include "tests/perfgate/cli/run_perfgate.h"

namespace perfgate {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::code;
using testing_command::Finished;
using testing_command::run_perfgate;
using testing_command::TemporaryFolder;

SuiteVerdict DemoVerdict(Verdict changed, Verdict unchanged, Exit exit) {
  SuiteVerdict verdict;
  verdict.exit = exit;
  verdict.columns.resize(2);
  verdict.columns[0].case_name = "demo/changed";
  verdict.columns[0].verdict = changed;
  verdict.columns[1].case_name = "demo/unchanged";
  verdict.columns[1].verdict = unchanged;
  return verdict;
}

TEST(Demo, PassesOnlyWhereItShowsBoth) {
  using enum Verdict;
  EXPECT_EQ(cli::DemoExit(DemoVerdict(kRegression, kNoRegression, Exit::kRegression)), Exit::kPass);
  EXPECT_EQ(cli::DemoExit(DemoVerdict(kRegression, kInconclusive, Exit::kRegression)),
            Exit::kInconclusive);
  EXPECT_EQ(cli::DemoExit(DemoVerdict(kNoRegression, kNoRegression, Exit::kPass)),
            Exit::kInconclusive);
  EXPECT_EQ(cli::DemoExit(DemoVerdict(kInconclusive, kRegression, Exit::kRegression)),
            Exit::kInconclusive);
  EXPECT_EQ(cli::DemoExit(DemoVerdict(kFailed, kFailed, Exit::kFailed)), Exit::kFailed);
  EXPECT_EQ(cli::DemoExit({}), Exit::kInternal);
}

TEST(Demo, SaysWhatToDoNext) {
  using enum Verdict;
  const std::string shown =
      cli::DemoText(DemoVerdict(kRegression, kNoRegression, Exit::kRegression));
  EXPECT_THAT(shown, HasSubstr("perfgate gate"));
  const std::string unclear =
      cli::DemoText(DemoVerdict(kInconclusive, kNoRegression, Exit::kInconclusive));
  EXPECT_THAT(unclear, HasSubstr("perfgate doctor"));
  EXPECT_THAT(unclear, Not(HasSubstr("the gate names it")));
}

// The whole command; a machine that is busy with other tests may leave it open, and says so.
TEST(Demo, ShowsARedLineAndAGreenOne) {
  const Finished finished = run_perfgate({"demo"});
  EXPECT_THAT(finished.exit_code, AnyOf(code(Exit::kPass), code(Exit::kInconclusive)))
      << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("demo/changed"));
  EXPECT_THAT(finished.out, HasSubstr("demo/unchanged"));
  EXPECT_LT(finished.wall_s, 60);
  if (finished.exit_code == code(Exit::kPass)) {
    EXPECT_THAT(finished.out, HasSubstr("regression"));
    EXPECT_THAT(finished.out, HasSubstr("the gate names it"));
  } else {
    EXPECT_THAT(finished.out, HasSubstr("perfgate doctor"));
  }
}

TEST(Demo, NamesWhatIsMissing) {
  const TemporaryFolder folder;
  const std::string alone = folder / "bin/perfgate";
  std::filesystem::create_directory(folder / "bin");
  std::filesystem::copy_file(PERFGATE_EXE, alone);
  const Finished finished = testing_command::run_program(alone, {"demo"});
  EXPECT_EQ(finished.exit_code, code(Exit::kData));
  EXPECT_THAT(finished.err, HasSubstr("perfgate_demo_old"));
  EXPECT_THAT(finished.err, HasSubstr("install perfgate again"));
  EXPECT_EQ(finished.out, "");
}

}  // namespace
}  // namespace perfgate
