// SPDX-License-Identifier: Apache-2.0
// perfgate ablate on options whose effect is known: none, slower in one stage, faster, both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class Ablate : public testing::Test {
 protected:
  Finished perfgate(std::vector<std::string> arguments) const {
    return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
  }

  const ColumnVerdict& column(const SuiteVerdict& verdict, const std::string& name,
                              const std::string& metric) const {
    for (const ColumnVerdict& c : verdict.columns) {
      if (c.case_name == name && c.metric.name == metric) return c;
    }
    ADD_FAILURE() << name << " " << metric << " is not in the verdict";
    return verdict.columns.front();
  }

  TemporaryFolder folder_;
};

TEST_F(Ablate, DecidesEveryOptionInOneTable) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "mode", "--rounds", "10",
                                  "--markdown", folder_ / "table.md"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("mode:same: not material\n"), HasSubstr("mode:slow: regresses\n"),
                    HasSubstr("mode:fast: promote\n"),
                    HasSubstr("mode:mixed: rejected by the wider gate\n")));
  const std::string table = testing_command::read_text(folder_ / "table.md");
  EXPECT_THAT(table, AllOf(HasSubstr("| option | decision | case | without | with | ratio |"),
                           HasSubstr("| `mode:slow` | regresses |"), HasSubstr("0/10/0")));
}

TEST_F(Ablate, ARegressionHidesNothingThatCouldNotBeJudged) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "way", "--rounds", "10"});
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("way:slow: regresses\n"), HasSubstr("way:new: not judged\n")));
  EXPECT_EQ(done.exit_code, 13) << done.out;
}

TEST_F(Ablate, NamesTheStageThatIsSlower) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "mode", "--rounds", "10",
                                  "--filter", "slow|same", "--json", folder_ / "verdict.json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const SuiteVerdict verdict = read_verdict(folder_ / "verdict.json");
  EXPECT_FALSE(verdict.aa);
  EXPECT_EQ(verdict.arms[0].digest, verdict.arms[1].digest);
  for (const std::string size : {"1", "2"}) {
    const std::string slow = "work/size:" + size + "/mode:slow/manual_time";
    EXPECT_EQ(column(verdict, slow, "real_time").verdict, Verdict::kRegression);
    EXPECT_EQ(column(verdict, slow, "stage_sum").verdict, Verdict::kRegression);
    EXPECT_EQ(column(verdict, slow, "stage_read").verdict, Verdict::kNoRegression);
    const std::string same = "work/size:" + size + "/mode:same/manual_time";
    for (const std::string metric : {"real_time", "stage_sum", "stage_read"}) {
      EXPECT_EQ(column(verdict, same, metric).verdict, Verdict::kNoRegression) << metric;
    }
  }
}

TEST_F(Ablate, ComparesWithAnotherValue) {
  const Finished done =
      perfgate({"ablate", ABLATION_CASES_EXE, "--key", "grade=a", "--rounds", "10"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("grade:b: not material\n"), Not(HasSubstr("grade:a:"))));
}

TEST_F(Ablate, FewRoundsLeaveOptionsUnresolved) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "mode", "--rounds", "3"});
  EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kInconclusive)) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("mode:slow: unresolved"), Not(HasSubstr("promote"))));
}

// All tricks halve the time.
TEST_F(Ablate, SpeedIsJudgedWithWhatItWasBoughtWith) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "trick", "--rounds", "10",
                                  "--session", folder_ / "session.json"});
  EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kInvalid)) << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("trick:guess: rejected by the wider gate\n"),
                    HasSubstr("trick:round: promote\n"), HasSubstr("trick:exact: promote\n"),
                    HasSubstr("trick:forged: not judged\n")));
  const Session session = read_session(folder_ / "session.json");
  for (const CaseInfo& info : session.cases) {
    EXPECT_EQ(info.result.empty(), info.name.find("guess") != std::string::npos ||
                                       info.name.find("round") != std::string::npos)
        << info.name;
  }
}

// The stages of the two settings have other names: the time of the case judges what that was worth.
TEST_F(Ablate, ShowsStagesOfOneSettingAndJudgesTheOthers) {
  const Finished done =
      perfgate({"ablate", ABLATION_CASES_EXE, "--key", "fuse", "--rounds", "10", "--filter",
                "gain|loss", "--json", folder_ / "verdict.json", "--markdown", folder_ / "t.md"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("fuse:gain: promote\n"), HasSubstr("fuse:loss: regresses\n"),
                    HasSubstr("only with"), HasSubstr("only without"),
                    Not(HasSubstr("metric_mismatch")), Not(HasSubstr("invalid"))));
  EXPECT_THAT(
      testing_command::read_text(folder_ / "t.md"),
      AllOf(HasSubstr("| stage\\_read\\_sum, fusable | - | 50.00 us"), HasSubstr("only with |")));
  const SuiteVerdict verdict = read_verdict(folder_ / "verdict.json");
  const std::string gain = "fusable/fuse:gain/manual_time";
  EXPECT_EQ(column(verdict, gain, "stage_read_sum").verdict, Verdict::kNew);
  for (const std::string metric : {"stage_read", "stage_sum", "stage_read_sum"}) {
    EXPECT_FALSE(column(verdict, gain, metric).gated) << metric;
  }
  EXPECT_EQ(column(verdict, gain, "stage_sum").verdict, Verdict::kMissing);
  EXPECT_TRUE(column(verdict, gain, "real_time").gated);
  EXPECT_EQ(verdict.exit, Exit::kRegression);  // of fuse:loss
}

TEST_F(Ablate, AStageThatIsReportedMustHaveTakenTime) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "fuse", "--rounds", "10",
                                  "--filter", "none|nan", "--json", folder_ / "verdict.json"});
  EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kInvalid)) << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("fuse:none: not judged\n"), HasSubstr("fuse:nan: not judged\n")));
  const SuiteVerdict verdict = read_verdict(folder_ / "verdict.json");
  for (const ColumnVerdict& column : verdict.columns) {
    EXPECT_EQ(column.verdict, Verdict::kInvalid);
    EXPECT_THAT(column.reason, HasSubstr("bad_value: with: stage_read_sum is "));
  }
}

TEST_F(Ablate, AScoreOfOneSettingIsNotOverlooked) {
  for (const auto& [option, arm] :
       {std::pair("kept_back", "without"), std::pair("boasted", "with")}) {
    const Finished done = perfgate(
        {"ablate", ABLATION_CASES_EXE, "--key", "score", "--rounds", "10", "--filter", option});
    EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kNotComparable)) << done.err;
    EXPECT_THAT(done.out,
                AllOf(HasSubstr(std::string("score:") + option + ": not judged\n"),
                      HasSubstr(std::string("metric_mismatch: only the ") + arm + " reports it")));
  }
}

// Calibration makes it, and every launch of every round finds it.
TEST_F(Ablate, LaunchesOfARunShareAFolder) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "launch", "--rounds", "6",
                                  "--session", folder_ / "session.json"});
  EXPECT_THAT(done.out, HasSubstr("launch:again: not material\n")) << done.err;
  const Session session = read_session(folder_ / "session.json");
  ASSERT_EQ(session.rounds.size(), 6U);
  for (const RoundInfo& round : session.rounds) {
    for (const std::vector<double>& slices : round.cases.at(0).values.at(0)) {
      EXPECT_THAT(slices, testing::Each(testing::Lt(9e-5)));
    }
  }
}

// Six names for one thing, in a process where each case takes a tenth longer for every case that
// was there before. If one process had all options and the other the default, options would be
// slower by a quarter.
TEST_F(Ablate, WhatAProcessHasDoneBeforeFavoursNoArm) {
  for (const char* seed : {"1", "2", "3", "5"}) {
    const Finished done =
        perfgate({"ablate", ABLATION_CASES_EXE, "--key", "name", "--rounds", "10", "--tolerance",
                  "1%", "--seed", seed, "--json", folder_ / "verdict.json"});
    EXPECT_EQ(done.exit_code, 0) << done.out;
    const SuiteVerdict verdict = read_verdict(folder_ / "verdict.json");
    EXPECT_EQ(verdict.columns.size(), 12U);
    double slowest = 0;
    for (const ColumnVerdict& one : verdict.columns) {
      EXPECT_NEAR(one.effect.estimate, 0, 1e-9) << one.case_name;
      slowest = std::max(slowest, one.baseline);
    }
    // The two cases of an option share a launch: the second finds one before it, and no more.
    EXPECT_GT(slowest, 1.1 * 6e-5 * 1.01);
    EXPECT_LT(slowest, 1.2 * 6e-5 * 1.01);
  }
}

TEST_F(Ablate, SaysThatAFilterLeavesNothing) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "mode", "--rounds", "10",
                                  "--filter", "no such case", "--markdown", folder_ / "table.md"});
  EXPECT_EQ(done.exit_code, 13);
  EXPECT_THAT(done.out, AllOf(HasSubstr("No option was compared"), Not(HasSubstr("Read "))));
  EXPECT_THAT(testing_command::read_text(folder_ / "table.md"),
              HasSubstr("No option was compared"));
}

TEST_F(Ablate, RefusesWhatHasNoPairs) {
  const Finished done = perfgate({"ablate", ABLATION_CASES_EXE, "--key", "gemv"});
  EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kUsage));
  EXPECT_THAT(done.err, HasSubstr("--key gemv: no case has a part 'gemv:...' and a partner"));
}

}  // namespace
}  // namespace perfgate
