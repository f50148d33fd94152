// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::kNan;

constexpr double kHideLimit = 0.10;

// Every way in which a column can matter to the exit, and the exit of a suite of it alone.
struct ExitRow {
  Verdict verdict;
  double hi;  // of the printed interval, where it matters
  Exit alone;
};

constexpr ExitRow kRows[] = {
    {Verdict::kInvalid, kNan, Exit::kInvalid},
    {Verdict::kFailed, kNan, Exit::kFailed},
    {Verdict::kRegression, 0.05, Exit::kRegression},
    {Verdict::kNotComparable, kNan, Exit::kNotComparable},
    {Verdict::kMissing, kNan, Exit::kNotComparable},
    {Verdict::kSuspected, 0.05, Exit::kSuspected},
    {Verdict::kInconclusive, kNan, Exit::kInconclusive},
    {Verdict::kInconclusive, 0.10, Exit::kInconclusive},
    {Verdict::kInconclusive, 0.099, Exit::kPass},
    {Verdict::kNoRegression, 0.01, Exit::kPass},
    {Verdict::kImprovement, -0.05, Exit::kPass},
    {Verdict::kSkipped, kNan, Exit::kSkipped},
    {Verdict::kNew, kNan, Exit::kNotComparable},
};

// The first that applies.
constexpr Exit kOrder[] = {Exit::kInvalid,       Exit::kFailed,    Exit::kRegression,
                           Exit::kNotComparable, Exit::kSuspected, Exit::kInconclusive,
                           Exit::kPass};

ColumnVerdict exit_column(const ExitRow& row, bool gated = true) {
  ColumnVerdict verdict;
  verdict.verdict = row.verdict;
  verdict.rounds = 6;
  verdict.effect.hi = row.hi;
  verdict.effect.estimate = 0;
  verdict.gated = gated;
  return verdict;
}

Exit exit_of(const std::vector<ColumnVerdict>& columns) { return suite_exit(columns, kHideLimit); }

bool without_effect(const ExitRow& row) {
  return row.verdict == Verdict::kSkipped || row.verdict == Verdict::kNew;
}

TEST(SuiteExit, IsThatOfItsOnlyColumn) {
  for (const ExitRow& row : kRows) {
    EXPECT_EQ(exit_of({exit_column(row)}), row.alone) << to_string(row.verdict) << " " << row.hi;
  }
}

TEST(SuiteExit, IsTheFirstThatAppliesForEveryPair) {
  for (const ExitRow& a : kRows) {
    for (const ExitRow& b : kRows) {
      Exit expected = Exit::kPass;
      if (without_effect(a) && without_effect(b)) {
        const bool skipped = a.verdict == Verdict::kSkipped && b.verdict == Verdict::kSkipped;
        expected = skipped ? Exit::kSkipped : Exit::kNotComparable;
      } else if (without_effect(a)) {
        expected = b.alone;
      } else if (without_effect(b)) {
        expected = a.alone;
      } else {
        expected = *std::find_if(std::begin(kOrder), std::end(kOrder),
                                 [&](Exit e) { return e == a.alone || e == b.alone; });
      }
      EXPECT_EQ(exit_of({exit_column(a), exit_column(b)}), expected)
          << to_string(a.verdict) << " with " << to_string(b.verdict);
    }
  }
}

TEST(SuiteExit, IgnoresColumnsThatDoNotGate) {
  const ColumnVerdict fine = exit_column({Verdict::kNoRegression, 0.01, Exit::kPass});
  for (const ExitRow& row : kRows) {
    EXPECT_EQ(exit_of({fine, exit_column(row, false)}), Exit::kPass);
    EXPECT_EQ(exit_of({exit_column(row, false)}), Exit::kNotComparable);
  }
}

TEST(SuiteExit, IsNeverGreenForAnEmptySuite) { EXPECT_EQ(exit_of({}), Exit::kNotComparable); }

TEST(SuiteExit, NeverLetsCountsHideBehindAFraction) {
  ColumnVerdict count = exit_column({Verdict::kInconclusive, 0.05, Exit::kInconclusive});
  count.metric.kind = Kind::kCount;
  EXPECT_EQ(exit_of({count}), Exit::kInconclusive);
}

// What an inconclusive column needs to pass, each condition alone.
TEST(SuiteExit, AnInconclusiveColumnPassesOnlyWhereItHidesLittle) {
  ColumnVerdict fine = exit_column({Verdict::kInconclusive, 0.099, Exit::kPass});
  fine.tolerance = 0.02;
  fine.effect.estimate = 0.02;
  fine.noise_ratio = 5;
  fine.noise_ratio_p = 0.011;
  ASSERT_EQ(exit_of({fine}), Exit::kPass);
  const auto red = [&](auto change) {
    ColumnVerdict column = fine;
    change(column);
    return exit_of({column}) == Exit::kInconclusive;
  };
  EXPECT_TRUE(red([](ColumnVerdict& c) { c.rounds = 5; }));
  EXPECT_TRUE(red([](ColumnVerdict& c) { c.effect.hi = 0.10; }));
  EXPECT_TRUE(red([](ColumnVerdict& c) { c.effect.estimate = 0.021; }));
  EXPECT_TRUE(red([](ColumnVerdict& c) { c.effect.estimate = kNan; }));
  EXPECT_TRUE(red([](ColumnVerdict& c) { c.noise_ratio_p = 0.01; }));
  fine.noise_ratio = 2;
  fine.noise_ratio_p = 0.001;
  EXPECT_EQ(exit_of({fine}), Exit::kPass);
}

}  // namespace
}  // namespace perfgate
