// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/imported_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"

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

SuiteVerdict judge_imported(const Session& baseline, const Session& candidate,
                            const std::vector<std::string>& allowed = {}) {
  StoredEvidence evidence = evidence_of_files(baseline, candidate, {});
  evidence.allowed = allowed;
  return decide_stored(evidence);
}

TEST(ImportedGate, RoundsAreTheRows) {
  const SuiteVerdict slower = judge_imported(imported(7, 1), imported(3, 1.2));
  EXPECT_EQ(slower.exit, Exit::kSuspected);
  EXPECT_EQ(slower.grade, "imported");
  EXPECT_EQ(slower.columns[0].claim, Claim::kDirectional);
  EXPECT_EQ(judge_imported(imported(7, 1), imported(3, 1)).exit, Exit::kPass);
  EXPECT_EQ(judge_imported(imported(7, 1), imported(2, 1.2)).exit, Exit::kInconclusive);
}

TEST(ImportedGate, RoundsOfOneMeasuredSessionAreOneRow) {
  Session baseline = imported(20, 1);
  Session candidate = imported(20, 1.2);
  baseline.origins.clear();
  candidate.origins.clear();
  EXPECT_EQ(judge_imported(baseline, candidate).exit, Exit::kInconclusive);
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
      const SuiteVerdict verdict = judge_imported(baseline, candidate);
      EXPECT_EQ(verdict.exit, Exit::kNotComparable) << field;
      EXPECT_THAT(verdict.columns, Each(Field(&ColumnVerdict::reason, HasSubstr(reason))));
      EXPECT_EQ(judge_imported(baseline, candidate, {reason}).exit, Exit::kPass) << field;
    }
  }
  Session elsewhere = imported(3, 1);
  elsewhere.environment = {{"gpu", "A100"}};
  const SuiteVerdict verdict = judge_imported(imported(7, 1), elsewhere);
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  EXPECT_THAT(verdict.columns[0].reason, HasSubstr("hardware_mismatch: gpu: H100 against A100"));
}

TEST(ImportedGate, AggregatesNeverPassOrFail) {
  Session baseline = imported(7, 1);
  baseline.cases[0].aggregates = {"real_time"};
  for (const double seconds : {0.5, 1.0, 2.0}) {
    const SuiteVerdict verdict = judge_imported(baseline, imported(3, seconds));
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
  EXPECT_EQ(judge_imported(imported(7, 1), failed).exit, Exit::kFailed);
  EXPECT_EQ(judge_imported(failed, imported(7, 1)).exit, Exit::kNotComparable);
  Session nothing = failed;
  nothing.rounds.clear();
  EXPECT_EQ(judge_imported(imported(7, 1), nothing).exit, Exit::kFailed);
  Session both = imported(7, 1);
  both.arms.resize(2);
  EXPECT_THROW(judge_imported(both, imported(7, 1)), Error);
}

// A round of both arms shows nothing, however it came to be in both.
TEST(ImportedGate, ARoundOfBothArmsIsInvalid) {
  const auto refused = [](const Session& baseline, const Session& candidate) {
    try {
      evidence_of_files(baseline, candidate, {});
    } catch (const Error& error) {
      return error.exit() == Exit::kInvalid &&
             std::string(error.what()).find("shared_round") != std::string::npos;
    }
    return false;
  };
  Session baseline = imported(7, 1);
  Session candidate = imported(3, 1);
  EXPECT_FALSE(refused(baseline, candidate)) << "single round numbers may repeat";
  for (Session* session : {&baseline, &candidate}) {
    session->rounds[2].cases[0].values = {{{1.01, 1.03, 1.02, 1.07, 1.05}}};
  }
  EXPECT_TRUE(refused(baseline, candidate));
  candidate.rounds[2].cases[0].values[0][0][4] = 1.06;
  EXPECT_FALSE(refused(baseline, candidate));
  baseline.origins[0].digest = candidate.origins[0].digest = "sha256:1";
  EXPECT_TRUE(refused(baseline, candidate));
}

TEST(ImportedGate, ExchangedArmsAreNotComparable) {
  Session baseline = imported(7, 1);
  Session candidate = imported(3, 1.2);
  baseline.arms[0].label = "candidate";
  EXPECT_NO_THROW(evidence_of_files(baseline, candidate, {})) << "the importer's default label";
  candidate.arms[0].label = "baseline";
  EXPECT_THROW(evidence_of_files(baseline, candidate, {}), Error);
}

// A counter that nobody declared may do what it likes; one that the policy declares gates.
TEST(ImportedGate, OnlyWhatDecidesGates) {
  const auto with_counter = [](int rounds, double value) {
    Session session = imported(rounds, 1);
    session.metrics.push_back({"allocs", "1", Direction::kLower, Kind::kCount});
    for (RoundInfo& round : session.rounds) round.cases[0].values.push_back({{value}});
    session.policy.cases = {{.match = "*", .metric = "allocs", .tolerance = {}, .gate = false}};
    return session;
  };
  const Session baseline = with_counter(7, 3);
  const Session candidate = with_counter(3, 9);
  EXPECT_EQ(decide_stored(evidence_of_files(baseline, candidate, {})).exit, Exit::kPass);
  Policy policy;
  policy.metrics = {baseline.metrics[1]};
  EXPECT_EQ(decide_stored(evidence_of_files(baseline, candidate, policy)).exit, Exit::kSuspected);
  policy.metrics[0].direction = Direction::kHigher;
  EXPECT_THROW(evidence_of_files(baseline, candidate, policy), Error);
}

TEST(ImportedGate, TheFilterHolds) {
  Policy policy;
  policy.filter = "train";
  EXPECT_THROW(evidence_of_files(imported(7, 1), imported(3, 1.2), policy), Error);
  policy.filter = "serv";
  EXPECT_EQ(evidence_of_files(imported(7, 1), imported(3, 1.2), policy).baseline[0].cases.size(),
            1U);
}

}  // namespace
}  // namespace perfgate
