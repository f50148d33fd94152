// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/imported_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/error.h"

namespace perfgate {
namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;

// An imported session of one case, `rounds` rounds around `seconds`.
Session imported(int rounds, double seconds) {
  Session session;
  session.id = std::string(32, '1');
  session.complete = true;
  session.origins.resize(1);
  session.arms.resize(1);
  session.metrics = {Metric{}};
  session.cases.resize(1);
  session.cases[0].name = "serve";
  session.cases[0].workload = {{"model", "a"}, {"output_len", "128"}, {"mode", "serving"}};
  session.environment = {{"gpu", "H100"}};
  for (int r = 0; r < rounds; ++r) {
    RoundInfo round;
    round.index = r;
    round.cases.resize(1);
    round.cases[0].values = {{{seconds * (1 + 0.001 * ((r * 7) % 5))}}};
    session.rounds.push_back(round);
  }
  return session;
}

SuiteVerdict judge(const Session& baseline, const Session& candidate,
                   const std::vector<std::string>& allowed = {}) {
  StoredEvidence evidence = evidence_of_files(baseline, candidate, {});
  evidence.allowed = allowed;
  return decide_stored(evidence);
}

TEST(ImportedGate, RoundsAreTheRows) {
  const SuiteVerdict slower = judge(imported(7, 1), imported(3, 1.2));
  EXPECT_EQ(slower.exit, Exit::kSuspected);
  EXPECT_EQ(slower.grade, "imported");
  EXPECT_EQ(slower.columns[0].claim, Claim::kDirectional);
  EXPECT_EQ(judge(imported(7, 1), imported(3, 1)).exit, Exit::kPass);
  EXPECT_EQ(judge(imported(7, 1), imported(2, 1.2)).exit, Exit::kInconclusive);
}

TEST(ImportedGate, RoundsOfOneMeasuredSessionAreOneRow) {
  Session baseline = imported(20, 1);
  Session candidate = imported(20, 1.2);
  baseline.origins.clear();
  candidate.origins.clear();
  EXPECT_EQ(judge(baseline, candidate).exit, Exit::kInconclusive);
}

TEST(ImportedGate, EveryFieldThatDiffersHasItsReason) {
  const std::pair<const char*, const char*> fields[] = {{"model", "model_mismatch"},
                                                        {"tokenizer", "model_mismatch"},
                                                        {"dtype", "model_mismatch"},
                                                        {"mode", "mode_mismatch"},
                                                        {"output_len", "token_budget_mismatch"},
                                                        {"num_prompts", "token_budget_mismatch"},
                                                        {"seed", "workload_mismatch"}};
  for (const auto& [field, reason] : fields) {
    for (const bool stated : {true, false}) {
      Session baseline = imported(7, 1);
      Session candidate = imported(3, 1);
      baseline.cases[0].workload = {{field, "one"}};
      candidate.cases[0].workload.clear();
      if (stated) candidate.cases[0].workload = {{field, "other"}};
      const SuiteVerdict verdict = judge(baseline, candidate);
      EXPECT_EQ(verdict.exit, Exit::kNotComparable) << field;
      EXPECT_THAT(verdict.columns, Each(Field(&ColumnVerdict::reason, HasSubstr(reason))));
      EXPECT_EQ(judge(baseline, candidate, {reason}).exit, Exit::kPass) << field;
    }
  }
  Session elsewhere = imported(3, 1);
  elsewhere.environment = {{"gpu", "A100"}};
  const SuiteVerdict verdict = judge(imported(7, 1), elsewhere);
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  EXPECT_THAT(verdict.columns[0].reason, HasSubstr("hardware_mismatch: gpu: H100 against A100"));
}

TEST(ImportedGate, AggregatesNeverPassOrFail) {
  Session baseline = imported(7, 1);
  baseline.cases[0].aggregates = {"real_time"};
  for (const double seconds : {0.5, 1.0, 2.0}) {
    const SuiteVerdict verdict = judge(baseline, imported(3, seconds));
    EXPECT_EQ(verdict.exit, Exit::kInconclusive);
    EXPECT_THAT(verdict.columns[0].reason, HasSubstr("aggregate_only"));
    EXPECT_EQ(verdict.columns[0].claim, Claim::kInsufficient);
  }
}

TEST(ImportedGate, TheArmDecidesTheBlameOfAFailure) {
  Session failed = imported(7, 1);
  failed.faults.resize(1);
  failed.faults[0].kind = FaultKind::kError;
  failed.faults[0].detail = "2 of 6 requests failed";
  EXPECT_EQ(judge(imported(7, 1), failed).exit, Exit::kFailed);
  EXPECT_EQ(judge(failed, imported(7, 1)).exit, Exit::kNotComparable);
  Session nothing = failed;
  nothing.rounds.clear();
  EXPECT_EQ(judge(imported(7, 1), nothing).exit, Exit::kFailed);
  Session both = imported(7, 1);
  both.arms.resize(2);
  EXPECT_THROW(judge(both, imported(7, 1)), Error);
}

}  // namespace
}  // namespace perfgate
