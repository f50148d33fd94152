// SPDX-License-Identifier: Apache-2.0
// A gate on executables whose times differ although the code is the same. The time comes from the
// name of the folder, which stands for the place in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/cli/verdict_column.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class GateOnHotCode : public testing::Test {
 protected:
  std::string Place(const std::string& program, const std::string& place) {
    const std::string folder = folder_ / place;
    fs::create_directories(folder);
    const std::string file = folder + "/cases";
    fs::copy_file(program, file, fs::copy_options::overwrite_existing);
    return file;
  }

  Finished Gate(const std::string& baseline, const std::string& candidate,
                const std::vector<std::string>& options = {}) const {
    Command command;
    command.arguments = {PERFGATE_EXE, "gate",     "--baseline",    baseline,  "--candidate",
                         candidate,    "--slice",  "1ms",           "--pairs", "1",
                         "--json",     json_,      "--session",     session_,  "--budget",
                         "120s",       "--filter", "placed|touched"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    return run_command(command);
  }

  ColumnVerdict Column(const std::string& name) const {
    return testing_command::column_of(json_, name);
  }

  TemporaryFolder folder_;
  std::string json_ = folder_ / "v.json";
  std::string session_ = folder_ / "s.json";
};

TEST_F(GateOnHotCode, ASlowdownOfUnchangedCodeIsInconclusive) {
  const std::string base = Place(HOT_BASE_EXE, "base");
  const std::string moved = Place(HOT_MOVED_EXE, "slow");
  const Finished finished = Gate(base, moved, {"--hide-limit", "50%"});
  EXPECT_EQ(finished.exit_code, 12) << finished.out << finished.err;
  const ColumnVerdict placed = Column("placed/manual_time");
  EXPECT_EQ(placed.verdict, Verdict::kInconclusive);
  EXPECT_THAT(placed.reason,
              StartsWith("layout: the code that this case runs is the same in both"));
  EXPECT_EQ(placed.hot_code, "code unchanged");
  EXPECT_NEAR(placed.effect.estimate, 0.12, 0.01);
  EXPECT_THAT(finished.out, HasSubstr("code unchanged"));

  const Session session = read_session(session_);
  ASSERT_EQ(session.hot_code.size(), 2U);
  EXPECT_EQ(session.hot_code[0].status, HotCodeStatus::kUnchanged) << session.hot_code[0].reason;
  EXPECT_GE(session.hot_code[0].same_share, 0.99);

  const Finished judged = Gate(base, moved, {"--unchanged-code", "judge"});
  EXPECT_EQ(judged.exit_code, 10) << judged.out;
  EXPECT_EQ(Column("placed/manual_time").hot_code, "code unchanged");
  const Finished off = Gate(base, moved, {"--hot-code", "off"});
  EXPECT_EQ(off.exit_code, 10) << off.out;
  EXPECT_THAT(read_session(session_).hot_code, IsEmpty());
}

TEST_F(GateOnHotCode, AnImprovementOfUnchangedCodeIsNone) {
  const Finished finished = Gate(Place(HOT_BASE_EXE, "base"), Place(HOT_MOVED_EXE, "fast"));
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const ColumnVerdict placed = Column("placed/manual_time");
  EXPECT_EQ(placed.verdict, Verdict::kNoRegression);
  EXPECT_EQ(placed.claim, Claim::kDirectional);
  EXPECT_THAT(placed.reason, StartsWith("layout: "));
}

TEST_F(GateOnHotCode, ChangedCodeIsNamedBesideUnchanged) {
  const Finished finished = Gate(Place(HOT_BASE_EXE, "base"), Place(HOT_TOUCHED_EXE, "slow"));
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  const ColumnVerdict touched = Column("touched/manual_time");
  EXPECT_EQ(touched.verdict, Verdict::kRegression);
  EXPECT_THAT(touched.hot_code, StartsWith("code changed: "));
  EXPECT_THAT(touched.hot_code, HasSubstr("spin_touched"));
  EXPECT_EQ(Column("placed/manual_time").verdict, Verdict::kInconclusive);
}

TEST_F(GateOnHotCode, ExecutablesOfTheLibraryAlone) {
  const Finished finished =
      Gate(Place(HOT_PLAIN_BASE_EXE, "base"), Place(HOT_PLAIN_MOVED_EXE, "slow"));
  EXPECT_EQ(finished.exit_code, 12) << finished.out << finished.err;
  EXPECT_EQ(Column("placed/manual_time").hot_code, "code unchanged");
}

TEST_F(GateOnHotCode, StrippedCodeIsJudged) {
  const std::string base = Place(HOT_BASE_EXE, "base");
  const std::string moved = Place(HOT_MOVED_EXE, "slow");
  ASSERT_EQ(std::system(("strip " + base + " " + moved).c_str()), 0);
  const Finished finished = Gate(base, moved);
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  EXPECT_THAT(Column("placed/manual_time").hot_code, StartsWith("code not checked: stripped"));
}

TEST_F(GateOnHotCode, EveryCaseWhereAsked) {
  const Finished finished = Gate(Place(HOT_BASE_EXE, "base"), Place(HOT_TOUCHED_EXE, "other"),
                                 {"--hot-code", "all", "--rounds", "10"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_EQ(Column("placed/manual_time").hot_code, "code unchanged");
  EXPECT_THAT(Column("touched/manual_time").hot_code, HasSubstr("spin_touched"));
}

}  // namespace
}  // namespace perfgate
