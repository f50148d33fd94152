// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/exit_order.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <span>
#include <vector>

#include "perfgate/verdict/gate/suite_verdict.h"

namespace perfgate {
namespace {

// The order of the exit codes of a run, as it is documented: written down a second time on purpose.
constexpr std::array<Exit, 8> kDocumented = {
    Exit::kInvalid,   Exit::kFailed,       Exit::kRegression, Exit::kNotComparable,
    Exit::kSuspected, Exit::kInconclusive, Exit::kPass,       Exit::kSkipped};

TEST(ExitOrder, IsTheDocumentedOne) {
  for (std::size_t i = 0; i < kDocumented.size(); ++i) {
    EXPECT_EQ(ExitOf(static_cast<Severity>(i)), kDocumented[i]) << i;
  }
  EXPECT_EQ(ExitOf(static_cast<Severity>(kDocumented.size())), Exit::kInternal);
}

TEST(ExitOrder, TheWorseOfTwoDecidesInWhateverOrderTheyCome) {
  for (std::size_t worse = 0; worse < kDocumented.size(); ++worse) {
    for (std::size_t milder = worse; milder < kDocumented.size(); ++milder) {
      for (const auto& [first, second] : {std::pair(worse, milder), std::pair(milder, worse)}) {
        WorstSeverity collected;
        collected.Add(static_cast<Severity>(first));
        collected.Add(static_cast<Severity>(second));
        EXPECT_EQ(collected.exit(), kDocumented[worse]) << first << " " << second;
      }
    }
  }
}

TEST(ExitOrder, NothingAndOnlyNewCasesCompareNothing) {
  WorstSeverity none;
  EXPECT_EQ(none.exit(), Exit::kNotComparable);
  WorstSeverity only_new;
  only_new.AddNew();
  EXPECT_EQ(only_new.exit(), Exit::kNotComparable);
  only_new.Add(Severity::kSkipped);
  EXPECT_EQ(only_new.exit(), Exit::kNotComparable);
  only_new.Add(Severity::kPass);
  EXPECT_EQ(only_new.exit(), Exit::kPass);
}

// Every verdict, alone and beside every other, has the exit of the worse: all pairs, so that a
// verdict that is added without a severity shows.
TEST(ExitOrder, HoldsForEveryPairOfVerdicts) {
  constexpr std::size_t kVerdicts = kEnumWords<Verdict>.words.size();
  const auto exit_of = [](std::vector<Verdict> verdicts) {
    std::vector<ColumnVerdict> comparisons;
    for (const Verdict verdict : verdicts) {
      comparisons.emplace_back();
      comparisons.back().verdict = verdict;
    }
    return suite_exit(comparisons, 0.1);
  };
  const auto place = [](Exit exit) {
    return std::find(kDocumented.begin(), kDocumented.end(), exit) - kDocumented.begin();
  };
  for (std::size_t i = 0; i < kVerdicts; ++i) {
    for (std::size_t j = 0; j < kVerdicts; ++j) {
      const auto one = static_cast<Verdict>(i);
      const auto other = static_cast<Verdict>(j);
      // A new case has no effect beside another.
      if (one == Verdict::kNew || other == Verdict::kNew) continue;
      const Exit both = exit_of({one, other});
      EXPECT_EQ(place(both), std::min(place(exit_of({one})), place(exit_of({other}))))
          << to_string(one) << " " << to_string(other);
    }
  }
}

}  // namespace
}  // namespace perfgate
