// SPDX-License-Identifier: Apache-2.0
// Recorded sessions: the contract, the rows and the verdict.
#include "perfgate/verdict/recorded/stored_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "perfgate/evidence/machine_class.h"
#include "perfgate/verdict/recorded/contract.h"
#include "perfgate/verdict/recorded/session_rows.h"
#include "tests/perfgate/verdict/recorded/recorded_machines.h"

namespace perfgate {
namespace {

using synthetic::Machines;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

StoredEvidence evidence(Machines& machines, int baseline, int candidate, double slowdown) {
  StoredEvidence result;
  result.baseline = machines.sessions(baseline);
  result.candidate = machines.sessions(candidate, slowdown);
  return result;
}

const ColumnVerdict& column(const SuiteVerdict& suite, const std::string& name) {
  for (const ColumnVerdict& c : suite.columns) {
    if (c.case_name == name) return c;
  }
  throw std::logic_error(name);
}

TEST(StoredGate, ALargeSlowdownIsSuspectedAndNothingMore) {
  Machines machines{.random = std::mt19937_64(1)};
  const SuiteVerdict suite = decide_stored(evidence(machines, 7, 3, 1.5));
  EXPECT_EQ(suite.exit, Exit::kSuspected);
  EXPECT_EQ(suite.grade, "stored");
  EXPECT_EQ(column(suite, "case0").verdict, Verdict::kSuspected);
  EXPECT_EQ(column(suite, "case0").claim, Claim::kDirectional);
  EXPECT_EQ(column(suite, "case1").verdict, Verdict::kNoRegression);
  EXPECT_NEAR(column(suite, "case0").effect.estimate, 0.5, 0.03);
}

TEST(StoredGate, AQualifiedClassMayFail) {
  Machines machines{.random = std::mt19937_64(2)};
  StoredEvidence slow = evidence(machines, 7, 3, 1.5);
  slow.qualified = true;
  EXPECT_EQ(decide_stored(slow).exit, Exit::kRegression);
}

TEST(StoredGate, TooFewSessionsShowTheDifferenceOnly) {
  for (const auto& [k, m] : {std::pair{1, 1}, {1, 3}, {6, 3}, {7, 2}, {20, 1}}) {
    Machines machines{.random = std::mt19937_64(3)};
    const SuiteVerdict suite = decide_stored(evidence(machines, k, m, 1.5));
    EXPECT_EQ(suite.exit, Exit::kInconclusive) << k << " " << m;
    EXPECT_THAT(suite.columns, Each(Field(&ColumnVerdict::claim, Claim::kInsufficient)));
    EXPECT_NEAR(column(suite, "case0").effect.estimate, 0.5, 0.05);
  }
  EXPECT_THROW(decide_stored({}), Error);
}

TEST(StoredGate, FasterIsAnImprovement) {
  Machines machines{.random = std::mt19937_64(4), .noise = 0.002};
  const SuiteVerdict suite = decide_stored(evidence(machines, 10, 3, 0.7));
  EXPECT_EQ(column(suite, "case0").verdict, Verdict::kImprovement);
  EXPECT_EQ(suite.exit, Exit::kPass);
}

TEST(StoredGate, ARateThatFallsIsASlowdown) {
  Machines machines{.random = std::mt19937_64(5)};
  StoredEvidence slow = evidence(machines, 7, 3, 1.0 / 1.5);
  for (auto* sessions : {&slow.baseline, &slow.candidate}) {
    for (RecordedSession& session : *sessions) {
      session.metrics[0] = {
          .name = "rate", .unit = "B/s", .direction = Direction::kHigher, .kind = Kind::kRate};
    }
  }
  const SuiteVerdict suite = decide_stored(slow);
  EXPECT_EQ(column(suite, "case0").verdict, Verdict::kSuspected);
  EXPECT_GT(column(suite, "case0").effect.estimate, 0.4);
}

TEST(StoredGate, CasesThatWentAndCame) {
  Machines machines{.random = std::mt19937_64(6)};
  StoredEvidence changed = evidence(machines, 7, 3, 1);
  changed.policy.expected = {"expected"};
  for (RecordedSession& session : changed.candidate) session.cases[4].name = "new";
  changed.baseline[0].cases.erase(changed.baseline[0].cases.begin() + 1);
  const SuiteVerdict suite = decide_stored(changed);
  EXPECT_EQ(column(suite, "case4").verdict, Verdict::kMissing);
  EXPECT_EQ(column(suite, "expected").verdict, Verdict::kMissing);
  EXPECT_EQ(column(suite, "new").verdict, Verdict::kNew);
  EXPECT_EQ(column(suite, "case1").verdict, Verdict::kInconclusive) << "recorded once less";
  EXPECT_EQ(suite.exit, Exit::kNotComparable);
}

// Each field of the contract, changed alone, makes every case it concerns not comparable; its
// override lets it through and says so.
TEST(Contract, EveryFieldHasItsReason) {
  struct Change {
    const char* reason;
    void (*apply)(RecordedSession&);
  };
  const Change changes[] = {
      {"build_type_mismatch", [](RecordedSession& s) { s.executable.build.optimized = false; }},
      {"build_type_mismatch", [](RecordedSession& s) { s.executable.build.assertions = true; }},
      {"build_type_mismatch", [](RecordedSession& s) { s.executable.build.sanitizer = "thread"; }},
      {"hardware_mismatch", [](RecordedSession& s) { s.machine.cpu_model = "other"; }},
      {"hardware_mismatch", [](RecordedSession& s) { s.machine.governor = "powersave"; }},
      {"toolchain_mismatch", [](RecordedSession& s) { s.executable.build.compiler = "GNU 13"; }},
      {"toolchain_mismatch", [](RecordedSession& s) { s.executable.build.codegen = "avx2"; }},
      {"toolchain_mismatch", [](RecordedSession& s) { s.executable.library = "1.9"; }},
      {"plan_mismatch", [](RecordedSession& s) { s.slice_s = 0.02; }},
      {"plan_mismatch", [](RecordedSession& s) { s.pairs = 8; }},
      {"unit_mismatch", [](RecordedSession& s) { s.metrics[0].unit = "ms"; }},
      {"direction_mismatch",
       [](RecordedSession& s) { s.metrics[0].direction = Direction::kHigher; }},
      {"workload_mismatch",
       [](RecordedSession& s) {
         for (auto& c : s.cases) c.threads = 2;
       }},
      {"workload_mismatch",
       [](RecordedSession& s) {
         for (auto& c : s.cases) c.time = "cpu";
       }},
  };
  for (const Change& change : changes) {
    Machines machines{.random = std::mt19937_64(7)};
    StoredEvidence changed = evidence(machines, 7, 3, 1);
    for (RecordedSession& session : changed.candidate) change.apply(session);
    SuiteVerdict suite = decide_stored(changed);
    EXPECT_EQ(suite.exit, Exit::kNotComparable) << change.reason;
    EXPECT_THAT(suite.columns, Each(Field(&ColumnVerdict::reason, HasSubstr(change.reason))));
    EXPECT_THAT(suite.columns, Each(Field(&ColumnVerdict::claim, Claim::kInvalid)));
    changed.allowed = {change.reason};
    suite = decide_stored(changed);
    EXPECT_NE(suite.exit, Exit::kNotComparable) << change.reason;
    ASSERT_FALSE(suite.policy.overrides.empty());
    EXPECT_THAT(suite.policy.overrides.back(), HasSubstr(change.reason));
  }
}

TEST(Contract, OtherThingsMayDiffer) {
  Machines machines{.random = std::mt19937_64(8)};
  const RecordedSession one = machines.session();
  RecordedSession other = machines.session();
  other.machine.hostname = "elsewhere";
  other.machine.kernel = "newer";
  other.executable.digest = "sha256:other";
  other.commit = "c";
  other.rounds = 3;
  EXPECT_THAT(contract_mismatches(one, other), IsEmpty());
}

TEST(SessionRows, OnlyTheNewestExecutableIsTheAcceptedState) {
  Machines machines{.random = std::mt19937_64(9)};
  const std::vector<RecordedSession> all = {machines.session(1, 'a'), machines.session(1, 'b'),
                                            machines.session(1, 'a'), machines.session(1, 'b')};
  const auto accepted = of_newest_executable(all);
  ASSERT_EQ(accepted.size(), 2U);
  EXPECT_EQ(accepted[0].executable.digest, "sha256:b");
}

// The reference is taken where the machine drifts, the right component of it, and not elsewhere.
TEST(SessionRows, TheReferenceIsTakenWhereItHelps) {
  Machines drifting{.random = std::mt19937_64(10), .noise = 0.005, .drift = 0.1};
  const auto sessions = drifting.sessions(10);
  EXPECT_EQ(choose_reference(sessions, row_columns(sessions[0])), 1);
  Machines steady{.random = std::mt19937_64(11)};
  const auto others = steady.sessions(10);
  EXPECT_EQ(choose_reference(others, row_columns(others[0])), -1);
  EXPECT_EQ(choose_reference(std::span(sessions).first(4), row_columns(sessions[0])), -1);

  // 10 % drift hides a slowdown of 8 % but for the reference.
  Machines machines{.random = std::mt19937_64(12), .noise = 0.005, .drift = 0.1};
  StoredEvidence slow = evidence(machines, 10, 3, 1.08);
  EXPECT_EQ(decide_stored(slow).exit, Exit::kSuspected);
  for (auto* side : {&slow.baseline, &slow.candidate}) {
    for (RecordedSession& session : *side) {
      session.reference_names.clear();
      session.reference.clear();
    }
  }
  EXPECT_EQ(decide_stored(slow).exit, Exit::kInconclusive);
}

TEST(StoredGate, TheAcceptedStateHasOneExecutableAndOnePlan) {
  Machines machines;
  std::vector<RecordedSession> sessions = machines.sessions(6);
  sessions[1].executable.digest = "sha256:other";
  sessions[2].pairs = 1;
  sessions[3].slice_s = 0.001;
  EXPECT_EQ(of_newest_executable(sessions).size(), 3U);
}

}  // namespace
}  // namespace perfgate
