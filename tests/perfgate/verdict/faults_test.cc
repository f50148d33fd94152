// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kBaseline = 0;
constexpr int kCandidate = 1;

const std::vector<ArmInfo>& arms() {
  static const std::vector<ArmInfo> kArms = synthetic::empty_session({}).arms;
  return kArms;
}

// What one fault in the baseline, one in the candidate, and the same in both mean.
struct FaultRow {
  Verdict baseline;
  Verdict candidate;
  Verdict both;
};

const std::map<FaultKind, FaultRow>& table() {
  constexpr FaultRow kBlame = {Verdict::kNotComparable, Verdict::kFailed, Verdict::kFailed};
  constexpr FaultRow kDistrust = {Verdict::kInvalid, Verdict::kInvalid, Verdict::kInvalid};
  constexpr FaultRow kNoBlame = {Verdict::kNotComparable, Verdict::kNotComparable,
                                 Verdict::kNotComparable};
  static const std::map<FaultKind, FaultRow> kTable = {
      {FaultKind::kSkipped, {Verdict::kNotComparable, Verdict::kNotComparable, Verdict::kSkipped}},
      {FaultKind::kError, kBlame},
      {FaultKind::kCrashed, kBlame},
      {FaultKind::kExited, kBlame},
      {FaultKind::kTimeout, kBlame},
      {FaultKind::kBadValue, kDistrust},
      {FaultKind::kNoOutput, kBlame},
      {FaultKind::kProtocol, kBlame},
      {FaultKind::kAbsent, {Verdict::kNew, Verdict::kMissing, Verdict::kMissing}},
      {FaultKind::kLeftover, kDistrust},
      {FaultKind::kInvalid, kDistrust},
      {FaultKind::kLaunch, kBlame},
      {FaultKind::kTooManyThreads, kNoBlame},
      {FaultKind::kOtherWorkload, kNoBlame},
      {FaultKind::kUnmeasured,
       {Verdict::kInconclusive, Verdict::kInconclusive, Verdict::kInconclusive}},
  };
  return kTable;
}

Fault fault(int arm, FaultKind kind, const std::string& detail = "why") {
  return {0, arm, 2, kind, detail};
}

Verdict judge(const std::vector<Fault>& faults) {
  const auto verdict = judge_faults(faults, arms());
  return verdict ? verdict->verdict : Verdict::kNoRegression;
}

TEST(JudgeFaults, HasNothingToSayWithoutFaults) { EXPECT_FALSE(judge_faults({}, arms())); }

TEST(JudgeFaults, SaysThatACaseIsBrokenInBothArms) {
  const auto reason = [](const std::vector<Fault>& faults) {
    return judge_faults(faults, arms())->reason;
  };
  EXPECT_EQ(reason({fault(kBaseline, FaultKind::kCrashed), fault(kCandidate, FaultKind::kCrashed)}),
            "fails in both arms: crashed: why");
  EXPECT_EQ(reason({fault(kBaseline, FaultKind::kError, "a"),
                    fault(kCandidate, FaultKind::kTimeout, "b")}),
            "fails in both arms: error: baseline: a; timeout: candidate: b");
  // One arm twice, or an arm that lacks the case, is not both.
  EXPECT_THAT(reason({fault(kCandidate, FaultKind::kError), fault(kCandidate, FaultKind::kError)}),
              Not(HasSubstr("both")));
  EXPECT_THAT(reason({fault(kBaseline, FaultKind::kAbsent), fault(kCandidate, FaultKind::kError)}),
              Not(HasSubstr("both")));
}

TEST(JudgeFaults, KnowsEveryKindInEveryArm) {
  EXPECT_EQ(table().size(), static_cast<std::size_t>(FaultKind::kOtherWorkload) + 1);
  for (const auto& [kind, row] : table()) {
    SCOPED_TRACE(static_cast<int>(kind));
    EXPECT_EQ(judge({fault(kBaseline, kind)}), row.baseline);
    EXPECT_EQ(judge({fault(kCandidate, kind)}), row.candidate);
    EXPECT_EQ(judge({fault(kBaseline, kind), fault(kCandidate, kind)}), row.both);
    EXPECT_EQ(judge({fault(kCandidate, kind), fault(kBaseline, kind)}), row.both);
  }
}

// The first of invalid, failed, not_comparable, missing, new, inconclusive that either fault means.
TEST(JudgeFaults, TakesTheHeadlineOfAnyTwo) {
  const std::vector<Verdict> order = {Verdict::kInvalid, Verdict::kFailed, Verdict::kNotComparable,
                                      Verdict::kMissing, Verdict::kNew,    Verdict::kInconclusive};
  const auto rank = [&](Verdict v) { return std::find(order.begin(), order.end(), v); };
  for (const auto& [kind_a, row_a] : table()) {
    for (const auto& [kind_b, row_b] : table()) {
      if (kind_a == kind_b) continue;
      const Verdict expected = std::min(rank(row_a.baseline), rank(row_b.candidate))[0];
      EXPECT_EQ(judge({fault(kBaseline, kind_a), fault(kCandidate, kind_b)}), expected)
          << static_cast<int>(kind_a) << " " << static_cast<int>(kind_b);
      EXPECT_EQ(judge({fault(kCandidate, kind_b), fault(kBaseline, kind_a)}), expected);
    }
  }
}

TEST(JudgeFaults, SkipsOnlyWhatEveryArmSkipsForOneReason) {
  const Fault baseline = fault(kBaseline, FaultKind::kSkipped, "no GPU");
  EXPECT_EQ(judge({baseline, fault(kCandidate, FaultKind::kSkipped, "no GPU")}), Verdict::kSkipped);
  EXPECT_EQ(judge({baseline, fault(kCandidate, FaultKind::kSkipped, "no mood")}),
            Verdict::kNotComparable);
  EXPECT_EQ(judge({baseline, baseline}), Verdict::kNotComparable);
}

TEST(JudgeFaults, SaysWhatHappenedToWhom) {
  const auto verdict = judge_faults({fault(kBaseline, FaultKind::kTimeout, "10 s"),
                                     fault(kCandidate, FaultKind::kCrashed, "signal 11")},
                                    arms());
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, HasSubstr("timeout: baseline: 10 s"));
  EXPECT_THAT(verdict->reason, HasSubstr("crashed: candidate: signal 11"));
}

TEST(JudgeFaults, BlamesNoArmForTheMachineOrTheBudget) {
  for (const FaultKind kind : {FaultKind::kTooManyThreads, FaultKind::kUnmeasured}) {
    const auto verdict = judge_faults({fault(kBaseline, kind, "64 on 4")}, arms());
    ASSERT_TRUE(verdict);
    EXPECT_THAT(verdict->reason, HasSubstr(": 64 on 4"));
    EXPECT_THAT(verdict->reason, Not(HasSubstr("baseline")));
  }
}

}  // namespace
}  // namespace perfgate
