// SPDX-License-Identifier: Apache-2.0
// perfgate compare on alternatives whose speed is known, and on three real sorts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_command::Command;
using testing_command::Finished;
using testing_command::read_text;
using testing_command::TemporaryFolder;
using testing_command::write_text;

class Compare : public testing::Test {
 protected:
  // "<time> <rate> <noise> <what>": see parity_cases.cc. The name makes it a file of its own.
  std::string arm(const std::string& name, const std::string& speed) const {
    std::string path = folder_ / name;
    write_text(path, read_text(PARITY_CASES_EXE) + name + " PARITY=" + speed + ";");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  static Finished compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {PERFGATE_EXE, "compare"});
    Command command;
    command.arguments = std::move(arguments);
    command.deadline_s = 300;
    return run_command(command);
  }

  // In 12 short rounds; exit code and file agree. The session is kept in session.json.
  AlternativesVerdict judge(std::vector<std::string> arguments) {
    const std::vector<std::string> common = {"--json",    folder_ / "comparison.json",
                                             "--session", folder_ / "session.json",
                                             "--slice",   "1ms",
                                             "--rounds",  "12"};
    arguments.insert(arguments.end(), common.begin(), common.end());
    const Finished finished = compare(arguments);
    printed_ = finished.out + finished.err;
    EXPECT_FALSE(finished.timed_out) << printed_;
    AlternativesVerdict verdict = read_alternatives(folder_ / "comparison.json");
    EXPECT_EQ(finished.exit_code, static_cast<int>(verdict.exit)) << printed_;
    return verdict;
  }

  static void expect_refused(const std::vector<std::string>& arguments,
                             const std::string& message) {
    const Finished finished = compare(arguments);
    EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kUsage)) << finished.out << finished.err;
    EXPECT_THAT(testing_command::unwrapped(finished.err), HasSubstr(message));
  }

  static std::vector<std::string> ranks(const AlternativesRow& row) {
    std::vector<std::string> texts;
    for (const Standing& s : row.standings) {
      texts.push_back(std::to_string(s.rank_lo) + "-" + std::to_string(s.rank_hi));
    }
    return texts;
  }

  TemporaryFolder folder_;
  std::string printed_;
};

TEST_F(Compare, RanksThree) {
  const AlternativesVerdict verdict =
      judge({"first=" + arm("a", "1 1 0.003 plain"), "half=" + arm("b", "0.5 2 0.003 plain"),
             "twice=" + arm("c", "2 1 0.003 plain"), "--markdown", folder_ / "table.md"});
  EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
  ASSERT_EQ(verdict.rows.size(), 2U);
  for (const AlternativesRow& row : verdict.rows) {
    EXPECT_THAT(ranks(row), ElementsAre("2-2", "1-1", "3-3"));
    EXPECT_NEAR(row.standings[1].over_reference.estimate, 2, 0.03);
    EXPECT_EQ(row.pairs.size(), 3U);
  }
  EXPECT_EQ(verdict.overall_cases, 2);
  EXPECT_THAT(printed_, AllOf(HasSubstr("half is the fastest by the geometric mean of 2 cases"),
                              HasSubstr("(mean of 2 cases)"), HasSubstr("CI95")));
  EXPECT_THAT(read_text(folder_ / "table.md"),
              AllOf(HasSubstr("| case | alternative | time"), HasSubstr("| half |")));
  const Finished shown =
      testing_command::run_program(PERFGATE_EXE, {"report", folder_ / "comparison.json"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, HasSubstr("half is the fastest"));
}

// A rate is compared where it is asked for, and more of it is faster.
TEST_F(Compare, ComparesARate) {
  const AlternativesVerdict verdict =
      judge({arm("a", "1 1 0 plain"), arm("b", "1 3 0 plain"), "--metric", "throughput"});
  EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
  ASSERT_EQ(verdict.rows.size(), 1U);
  EXPECT_THAT(ranks(verdict.rows[0]), ElementsAre("2-2", "1-1"));
  EXPECT_NEAR(verdict.rows[0].standings[1].over_reference.estimate, 3, 1e-6);
  EXPECT_THAT(printed_, HasSubstr("1 case(s) report no throughput and are left out"));
}

// Five are enough that roles and slots come from Williams squares; constant times tie exactly.
TEST_F(Compare, WhatTakesTheSameTimeIsTied) {
  std::vector<std::string> arms;
  for (const char* name : {"a", "b", "c", "d", "e"}) arms.push_back(arm(name, "1 1 0 plain"));
  std::vector<std::string> arguments = arms;
  arguments.insert(arguments.end(), {"--seed", "5eed"});
  const AlternativesVerdict verdict = judge(arguments);
  EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
  for (const AlternativesRow& row : verdict.rows) {
    EXPECT_THAT(ranks(row), testing::Each("1-5"));
  }
  EXPECT_THAT(verdict.summary, HasSubstr("a, b, c, d and e are tied"));
  // The seed replays coins and orders.
  const Session first = read_session(folder_ / "session.json");
  judge(arguments);
  const Session again = read_session(folder_ / "session.json");
  ASSERT_EQ(first.rounds.size(), again.rounds.size());
  for (std::size_t r = 0; r < first.rounds.size(); ++r) {
    EXPECT_EQ(first.rounds[r].coin, again.rounds[r].coin);
    for (std::size_t c = 0; c < first.rounds[r].cases.size(); ++c) {
      EXPECT_EQ(first.rounds[r].cases[c].first_arm, again.rounds[r].cases[c].first_arm);
    }
  }
}

TEST_F(Compare, WhatFailsIsNamedAndTheRestCompared) {
  for (const char* what : {"crash", "late"}) {
    const AlternativesVerdict verdict =
        judge({arm("a", "1 1 0 plain"), arm("b", std::string("1 1 0 ") + what),
               arm("c", "2 1 0 plain"), arm("d", "4 1 0 plain")});
    EXPECT_EQ(verdict.exit, Exit::kFailed) << printed_;
    for (const AlternativesRow& row : verdict.rows) {
      EXPECT_EQ(row.standings[1].status, AlternativeStatus::kFailed) << what;
      EXPECT_THAT(row.standings[1].reason, HasSubstr("signal 11"));
      EXPECT_THAT(ranks(row), ElementsAre("1-1", "0-0", "2-2", "3-3")) << what;
      EXPECT_EQ(row.rounds, 12) << what;
    }
  }
}

// The first alternative is the one that shows how long a slice is.
TEST_F(Compare, TheFirstMayFailToo) {
  const AlternativesVerdict verdict = judge(
      {arm("a", "1 1 0 crash"), arm("b", "1 1 0 plain"), arm("c", "2 1 0 plain"), "--suite", "s"});
  EXPECT_EQ(verdict.exit, Exit::kFailed) << printed_;
  for (const AlternativesRow& row : verdict.rows) {
    EXPECT_THAT(ranks(row), ElementsAre("0-0", "1-1", "2-2"));
  }
  EXPECT_THAT(verdict.summary, HasSubstr("b is the fastest"));
}

TEST_F(Compare, ALackedCaseIsNamed) {
  const AlternativesVerdict verdict =
      judge({arm("a", "1 1 0 plain"), arm("b", "1 1 0 lacks"), arm("c", "2 1 0 plain")});
  EXPECT_EQ(verdict.exit, Exit::kNotComparable) << printed_;
  ASSERT_EQ(verdict.rows.size(), 2U);
  const AlternativesRow& time = verdict.rows[0];
  EXPECT_EQ(time.standings[1].status, AlternativeStatus::kNotComparable);
  EXPECT_THAT(time.standings[1].reason, HasSubstr("absent"));
  EXPECT_THAT(ranks(time), ElementsAre("1-1", "0-0", "2-2"));
  EXPECT_THAT(ranks(verdict.rows[1]), ElementsAre("1-2", "1-2", "3-3"));
}

TEST_F(Compare, NoCommonCaseIsNotComparable) {
  const AlternativesVerdict verdict = judge({SORT_STD_EXE, QUICK_EXE});
  EXPECT_EQ(verdict.exit, Exit::kNotComparable) << printed_;
  EXPECT_EQ(verdict.summary, "no case could be compared");
  EXPECT_EQ(verdict.rounds, 0);
}

TEST_F(Compare, IdenticalOnesAreMeasuredWhereThatIsAskedFor) {
  const std::string a = arm("a", "1 1 0 plain");
  const std::string copy = folder_ / "copy";
  std::filesystem::copy_file(a, copy);
  const std::string other = arm("c", "1 1 0 plain");
  AlternativesVerdict verdict = judge({a, other, copy});
  EXPECT_EQ(verdict.exit, Exit::kInvalid) << printed_;
  EXPECT_EQ(verdict.rounds, 0);
  EXPECT_THAT(testing_command::unwrapped(printed_), HasSubstr("a and copy are identical"));
  verdict = judge({a, other, copy, "--aa"});
  EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
}

TEST_F(Compare, TooFewRoundsAreInconclusive) {
  const Finished few = compare(
      {arm("a", "1 1 0 plain"), arm("b", "2 1 0 plain"), "--slice", "1ms", "--rounds", "5"});
  EXPECT_EQ(few.exit_code, static_cast<int>(Exit::kInconclusive));
  EXPECT_THAT(testing_command::unwrapped(few.err), HasSubstr("need 7 rounds, and 5 are planned"));
  EXPECT_THAT(testing_command::unwrapped(few.out), HasSubstr("too few rounds to rank"));
}

TEST_F(Compare, RefusesWhatIsNoComparison) {
  const std::string a = arm("a", "1 1 0 plain");
  const std::string b = arm("b", "1 1 0 plain");
  expect_refused({a}, "one alternative alone compares with nothing");
  expect_refused({}, "ALTERNATIVE is required");
  expect_refused({a, b, a}, "is given twice");
  expect_refused({a, folder_ / "./a"}, "is given twice");
  expect_refused({"x=" + a, "x=" + b}, "two alternatives are called 'x'");
  expect_refused({a, b, "--label", "x,x"}, "two alternatives are called 'x'");
  expect_refused({a, b, "--label", "x"}, "--label names 1 of 2 alternatives");
  expect_refused({"y=" + a, b, "--label", "x,z"}, "called 'y' and, by --label, 'x'");
  expect_refused({"=" + a, b}, "write PATH or NAME=PATH");
  expect_refused({a, b, "--reference", "c"}, "--reference c is none of the alternatives: a, b");
  expect_refused({a, b, "--series", "count"}, "--series count: no case has a part 'count:'");
  expect_refused({a, b, "--series", "/"}, "no case has a part that is a number");
  expect_refused({a, b, "--family", "all"}, "--family");
  expect_refused({a, b, "--metric", "speed", "--rounds", "1", "--slice", "1ms"},
                 "no alternative reports a metric 'speed'");
  expect_refused({a, b, "--by", "impl"}, "--by compares cases of one executable; 2 are given");
  expect_refused({SORTS_EXE, "--by", "way"}, "--by way: no case has a part 'way:...'");
  expect_refused({SORTS_EXE, "--by", "impl", "--filter", "impl:std"},
                 "all cases have the value 'std'");
  expect_refused({SORTS_EXE, "--by", "impl", "--label", "x"}, "--label names executables");
  std::vector<std::string> nine;
  for (int i = 0; i < 9; ++i) nine.push_back(arm("n" + std::to_string(i), "1 1 0 plain"));
  expect_refused(nine, "at most 8 alternatives");
  const Finished missing = compare({a, folder_ / "nothing"});
  EXPECT_EQ(missing.exit_code, static_cast<int>(Exit::kData)) << missing.err;
}

TEST_F(Compare, ThreeExecutablesByTheReferenceAlone) {
  const AlternativesVerdict verdict =
      judge({"--label", "std,heap,radix", SORT_STD_EXE, SORT_HEAP_EXE, SORT_RADIX_EXE,
             "--reference", "heap", "--filter", "count:65536", "--family", "case"});
  EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
  ASSERT_EQ(verdict.rows.size(), 1U);
  EXPECT_EQ(verdict.rows[0].pairs.size(), 2U);
  EXPECT_TRUE(verdict.only_reference);
  EXPECT_EQ(verdict.reference, 1);
  // Radix sort reads 65,536 numbers four times; heap sort jumps through them sixteen times.
  EXPECT_GT(verdict.rows[0].standings[2].over_reference.estimate, 1) << printed_;
  EXPECT_TRUE(verdict.overall.empty());
}

TEST_F(Compare, CasesOfOneExecutableOverTheirSizes) {
  const AlternativesVerdict verdict =
      judge({SORTS_EXE, "--by", "impl", "--series", "count", "--filter", "count:(64|4096|65536)"});
  EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
  ASSERT_EQ(verdict.arms.size(), 3U);
  EXPECT_EQ(verdict.arms[2].label, "radix");
  ASSERT_EQ(verdict.rows.size(), 3U);
  EXPECT_EQ(verdict.rows[0].case_name, "sort/count:64");
  EXPECT_EQ(verdict.rows[2].size, 65536);
  EXPECT_EQ(verdict.rows[2].series, "sort");
  EXPECT_GT(verdict.rows[2].standings[2].over_reference.estimate, 1) << printed_;
  EXPECT_THAT(printed_, HasSubstr("sort, time [us]; * has the first rank, alone or tied"));
  // Each alternative has the iterations that fill its slice.
  const Session session = read_session(folder_ / "session.json");
  for (const CaseInfo& info : session.cases) EXPECT_EQ(info.arm_iterations.size(), 3U);
  const std::vector<std::int64_t>& largest = session.cases.back().arm_iterations;
  EXPECT_GE(largest[2], largest[0]);
}

// Real noise. A comparison ranks alternatives that are alike once in 20 at most: three in a row are
// a defect.
TEST_F(Compare, FourCopiesOfOneExecutableAreTied) {
  std::string all;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const AlternativesVerdict verdict =
        judge({SORT_STD_EXE, SORT_STD_EXE, SORT_STD_EXE, SORT_STD_EXE, "--aa", "--filter",
               "count:(256|1024)/?$"});
    EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
    EXPECT_GE(verdict.confidence, 0.95);
    const bool tied =
        std::all_of(verdict.rows.begin(), verdict.rows.end(), [](const AlternativesRow& row) {
          return std::all_of(row.standings.begin(), row.standings.end(),
                             [](const Standing& s) { return s.rank_lo == 1 && s.rank_hi == 4; });
        });
    if (tied) return;
    all += printed_;
  }
  FAIL() << all;
}

}  // namespace
}  // namespace perfgate
