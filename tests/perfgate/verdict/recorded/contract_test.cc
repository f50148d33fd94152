// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace perfgate {
namespace {

using testing::Contains;
using testing::Each;
using testing::Field;
using testing::IsEmpty;

RecordedSession Recorded() {
  RecordedSession session;
  session.executable.library = "1.7.1";
  session.executable.build.compiler = "GNU 12.2.0";
  session.machine.cpu_model = "some CPU";
  session.slice_s = 0.01;
  session.pairs = 4;
  session.metrics = {Metric{}, {"tokens", "1/s", Direction::kHigher, Kind::kRate}};
  session.cases = {{"a", 1, "real", 10, {{1.0}, {2.0}}}};
  return session;
}

TEST(Contract, OneSessionAgreesWithItself) {
  EXPECT_THAT(contract_mismatches(Recorded(), Recorded()), IsEmpty());
}

struct Change {
  std::string reason;
  std::function<void(RecordedSession&)> make;
};

// One change each: it is found under its reason and under no other, whichever side has it.
TEST(Contract, EveryDifferenceHasItsReasonAndNoOther) {
  const std::vector<Change> changes = {
      {"build_type_mismatch", [](auto& s) { s.executable.build.sanitizer = "address"; }},
      {"hardware_mismatch", [](auto& s) { s.machine.cpu_model = "another CPU"; }},
      {"toolchain_mismatch", [](auto& s) { s.executable.build.compiler = "GNU 13.2.0"; }},
      {"toolchain_mismatch", [](auto& s) { s.executable.library = "1.8.3"; }},
      {"plan_mismatch", [](auto& s) { s.slice_s = 0.02; }},
      {"plan_mismatch", [](auto& s) { s.pairs = 2; }},
      {"unit_mismatch", [](auto& s) { s.metrics[1].unit = "1/min"; }},
      {"direction_mismatch", [](auto& s) { s.metrics[1].direction = Direction::kLower; }},
      {"direction_mismatch", [](auto& s) { s.metrics[1].kind = Kind::kScore; }},
      {"workload_mismatch", [](auto& s) { s.cases[0].threads = 2; }},
      {"workload_mismatch", [](auto& s) { s.cases[0].time = "manual"; }},
  };
  for (const Change& change : changes) {
    RecordedSession changed = Recorded();
    change.make(changed);
    for (const auto& found :
         {contract_mismatches(Recorded(), changed), contract_mismatches(changed, Recorded())}) {
      ASSERT_FALSE(found.empty()) << change.reason;
      EXPECT_THAT(found, Each(Field(&Mismatch::reason, change.reason)));
    }
    EXPECT_THAT(contract_reasons(), Contains(change.reason));
  }
}

TEST(Contract, AMetricThatTheCandidateLacksIsNamed) {
  RecordedSession candidate = Recorded();
  candidate.metrics.pop_back();
  const auto found = contract_mismatches(Recorded(), candidate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].reason, "metric_mismatch");
  EXPECT_EQ(found[0].metric_name, "tokens");
  // What only the candidate has is new, and no mismatch.
  EXPECT_THAT(contract_mismatches(candidate, Recorded()), IsEmpty());
}

TEST(Contract, CasesOfOneSideAloneAreNoMismatch) {
  RecordedSession more = Recorded();
  more.cases.push_back({"b", 8, "manual", 1, {{1.0}, {2.0}}});
  EXPECT_THAT(contract_mismatches(Recorded(), more), IsEmpty());
  EXPECT_THAT(contract_mismatches(more, Recorded()), IsEmpty());
}

TEST(Contract, ADifferenceOfOneCaseIsThatCases) {
  RecordedSession changed = Recorded();
  changed.cases.push_back(changed.cases[0]);
  changed.cases.back().name = "b";
  RecordedSession other = changed;
  other.cases[1].threads = 4;
  const auto found = contract_mismatches(changed, other);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].case_name, "b");
  EXPECT_EQ(found[0].detail, "threads: 1 against 4");
}

}  // namespace
}  // namespace perfgate
