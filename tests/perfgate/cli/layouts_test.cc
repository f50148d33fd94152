// SPDX-License-Identifier: Apache-2.0
// A gate on folders of layouts. Each layout is a copy of one program, which reports times by the
// name of the folder that it lies in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "perfgate/base/sha256.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/layouts/layout_folder.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/cli/verdict_column.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class GateOnLayouts : public testing::Test {
 protected:
  // A folder of so many layouts of a program.
  std::string Layouts(const std::string& name, const std::string& program, int count) {
    const std::string folder = folder_ / name;
    LayoutSet set;
    set.name = "cases";
    set.objects = sha256_digest(program);
    set.count = count;
    set.command = {"/", {"c++", "-o", "cases"}};
    const std::string bytes = testing_command::read_text(program);
    for (int seed = 0; seed <= count; ++seed) {
      const std::string file = layouts::FolderOfSeed(seed) + "/cases";
      fs::create_directories(fs::path(folder) / layouts::FolderOfSeed(seed));
      const std::string text = bytes + std::to_string(seed);
      testing_command::write_text(folder + "/" + file, text);
      fs::permissions(folder + "/" + file, fs::perms::owner_all);
      set.layouts.push_back({seed, file, sha256_digest(text)});
    }
    write_layouts(folder + "/layouts.json", set);
    return folder;
  }

  // At an alpha that no run of these tests will see: nothing here is named by chance.
  Finished Gate(const std::string& baseline, const std::string& candidate,
                const std::vector<std::string>& options = {}) const {
    Command command;
    command.arguments = {PERFGATE_EXE, "gate",   "--baseline", baseline, "--candidate", candidate,
                         "--slice",    "1ms",    "--pairs",    "1",      "--json",      json_,
                         "--session",  session_, "--budget",   "120s",   "--alpha",     "0.0001"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    return run_command(command);
  }

  ColumnVerdict Column(const std::string& name) const {
    return testing_command::column_of(json_, name);
  }

  TemporaryFolder folder_;
  std::string json_ = folder_ / "v.json";
  std::string session_ = folder_ / "s.json";
  std::string base_ = Layouts("base", LAYOUT_BASE_EXE, 40);
  std::string same_ = Layouts("same", LAYOUT_SAME_EXE, 40);
};

TEST_F(GateOnLayouts, OneLinkIsNamedForItsLayout) {
  const Finished finished = Gate(base_ + "/0000/cases", same_ + "/0000/cases");
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  EXPECT_EQ(Column("moved/manual_time").verdict, Verdict::kRegression);
  EXPECT_THAT(finished.out, HasSubstr("one link of each arm was compared"));
}

TEST_F(GateOnLayouts, ASecondStageClearsWhatTheLinkMoved) {
  const Finished finished = Gate(base_, same_);
  EXPECT_NE(finished.exit_code, 10) << finished.out << finished.err;
  const SuiteVerdict verdict = read_verdict(json_);
  EXPECT_GE(verdict.layout_rounds, 6);
  const ColumnVerdict moved = Column("moved/manual_time");
  EXPECT_NE(moved.verdict, Verdict::kRegression);
  EXPECT_NEAR(moved.link_effect.estimate, 0.06, 0.01);
  EXPECT_LT(moved.effect.lo, 0.02);
  EXPECT_GT(moved.layout_sd, 3 * moved.link_sd);
  EXPECT_THAT(moved.reason, HasSubstr("% in this link"));
  // The rest was decided by the first stage.
  EXPECT_EQ(Column("still/manual_time").verdict, Verdict::kNoRegression);
  EXPECT_TRUE(std::isnan(Column("still/manual_time").link_effect.estimate));
  // Every layout once, and never the link as it is.
  const Session session = read_session(session_);
  ASSERT_EQ(session.confirmation.size(), 1U);
  for (std::size_t arm = 0; arm < 2; ++arm) {
    std::set<int> seen = {0};
    for (const RoundInfo& round : session.confirmation[0].rounds) {
      ASSERT_EQ(round.layouts.size(), 2U);
      EXPECT_TRUE(seen.insert(round.layouts[arm]).second) << round.layouts[arm];
    }
  }
  EXPECT_EQ(session.confirmation[0].cases.size(), 1U);
}

TEST_F(GateOnLayouts, AChangeIsConfirmed) {
  const std::string slower = Layouts("slower", LAYOUT_SLOWER_EXE, 40);
  const Finished finished = Gate(base_, slower);
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  EXPECT_EQ(Column("changed/manual_time").verdict, Verdict::kRegression);
  EXPECT_NEAR(Column("changed/manual_time").effect.estimate, 0.12, 0.04);
  EXPECT_NE(Column("moved/manual_time").verdict, Verdict::kRegression);
  // The session says the same again.
  Command command;
  command.arguments = {PERFGATE_EXE, "report", "--decide", session_};
  const Finished report = run_command(command);
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("rounds over layouts"));
}

TEST_F(GateOnLayouts, AlwaysRunsEveryRoundOverLayouts) {
  const std::string slower = Layouts("slower", LAYOUT_SLOWER_EXE, 40);
  const Finished finished = Gate(base_, slower, {"--layouts", "always"});
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  const Session session = read_session(session_);
  EXPECT_TRUE(session.confirmation.empty());
  for (const RoundInfo& round : session.rounds) EXPECT_EQ(round.layouts.size(), 2U);
  EXPECT_EQ(session.arms[0].layouts, 40);
  EXPECT_EQ(Column("changed/manual_time").verdict, Verdict::kRegression);
  EXPECT_NE(Column("moved/manual_time").verdict, Verdict::kRegression);
}

TEST_F(GateOnLayouts, OffComparesTheLinkAsItIs) {
  const Finished finished = Gate(base_, same_, {"--layouts", "off"});
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  EXPECT_EQ(read_verdict(json_).layout_rounds, 0);
}

TEST_F(GateOnLayouts, MoreRoundsThanLayoutsAreRefused) {
  const std::string few = Layouts("few", LAYOUT_SAME_EXE, 12);
  const Finished finished = Gate(base_, few, {"--layouts", "always", "--rounds", "20"});
  EXPECT_EQ(finished.exit_code, 64) << finished.out << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("perfgate relink --count 20"));
}

TEST_F(GateOnLayouts, ReusedLayoutsMakeNoStrongClaim) {
  const std::string few = Layouts("few", LAYOUT_SLOWER_EXE, 4);
  const Finished finished =
      Gate(base_, few, {"--layouts", "always", "--rounds", "16", "--reuse-layouts"});
  EXPECT_NE(finished.exit_code, 64) << finished.err;
  for (const ColumnVerdict& column : read_verdict(json_).columns) {
    EXPECT_NE(column.claim, Claim::kStrong) << column.case_name;
  }
}

TEST_F(GateOnLayouts, AlwaysNeedsLayoutsOfBothArms) {
  const Finished finished = Gate(base_, LAYOUT_SAME_EXE, {"--layouts", "always"});
  EXPECT_EQ(finished.exit_code, 64) << finished.out;
  EXPECT_THAT(finished.err, HasSubstr("the candidate"));
  EXPECT_THAT(finished.err, HasSubstr("perfgate relink"));
}

TEST_F(GateOnLayouts, LayoutsOfOneArmAreNoLayouts) {
  const Finished finished = Gate(base_ + "/0000/cases", same_);
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("only the candidate has layouts"));
}

TEST_F(GateOnLayouts, AForeignLayoutStopsTheSecondStageAndIsSaid) {
  fs::copy_file(LAYOUT_SLOWER_EXE, same_ + "/0017/cases", fs::copy_options::overwrite_existing);
  const Finished finished = Gate(base_, same_);
  EXPECT_EQ(finished.exit_code, 10) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("not confirmed over layouts"));
  EXPECT_THAT(finished.out, HasSubstr("0017/cases"));
}

TEST_F(GateOnLayouts, AChangedLinkAsItIsIsRefused) {
  fs::copy_file(LAYOUT_SLOWER_EXE, same_ + "/0000/cases", fs::copy_options::overwrite_existing);
  const Finished finished = Gate(base_, same_);
  EXPECT_EQ(finished.exit_code, 65) << finished.out;
  EXPECT_THAT(finished.err, HasSubstr("make the folder again with perfgate relink"));
}

// A second attempt does not repeat the stage that chose the cases, nor a layout.
TEST_F(GateOnLayouts, AttemptsGoOnWithTheSecondStage) {
  const std::string ledger = folder_ / "ledger";
  const Finished once =
      Gate(base_, same_, {"--ledger", ledger, "--rounds", "10", "--tolerance", "0"});
  ASSERT_NE(once.exit_code, 10) << once.out << once.err;
  const Session first = read_session(session_);
  ASSERT_EQ(first.confirmation.size(), 1U);
  ASSERT_EQ(first.confirmation[0].rounds.size(), 10U);
  const Finished again =
      Gate(base_, same_, {"--ledger", ledger, "--rounds", "10", "--tolerance", "0"});
  EXPECT_NE(again.exit_code, 10) << again.out << again.err;
  const Session second = read_session(session_);
  ASSERT_EQ(second.confirmation.size(), 1U);
  EXPECT_EQ(second.confirmation[0].rounds.size(), 20U);
  EXPECT_EQ(second.rounds.size(), first.rounds.size());
  EXPECT_EQ(second.confirmation[0].cases, first.confirmation[0].cases);
  for (std::size_t arm = 0; arm < 2; ++arm) {
    std::set<int> seen;
    for (const RoundInfo& round : second.confirmation[0].rounds) {
      EXPECT_TRUE(seen.insert(round.layouts.at(arm)).second);
    }
  }
}

TEST_F(GateOnLayouts, OtherCommandsRunOverLayouts) {
  Command command;
  command.arguments = {PERFGATE_EXE, "run",     base_, "--rounds",  "6",     "--slice",
                       "1ms",        "--pairs", "1",   "--session", session_};
  const Finished finished = run_command(command);
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const Session session = read_session(session_);
  ASSERT_EQ(session.rounds.size(), 6U);
  for (const RoundInfo& round : session.rounds) EXPECT_EQ(round.layouts.size(), 1U);
}

}  // namespace
}  // namespace perfgate
