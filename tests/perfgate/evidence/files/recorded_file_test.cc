// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"

namespace perfgate {
namespace {

using sample::Json;

using RecordedFile = sample::FileTest<sample::RecordedFormat>;

Session one_arm() {
  Session session;
  session.complete = true;
  session.metrics = {Metric{}};
  session.arms.resize(1);
  session.arms[0].path = "/some/where/suite_bench";
  session.cases.resize(3);
  session.cases[0].name = "a";
  session.cases[1].name = "b";
  session.cases[2].name = "skipped";
  RoundInfo round;
  round.cases.resize(2);
  round.cases[0].case_index = 1;
  round.cases[0].values = {{{4, 1, 2, 3}}};
  round.cases[1].case_index = 0;
  round.cases[1].values = {{{1.23456789, NAN, NAN}}};
  session.rounds = {round, {}};
  session.rounds[1].index = 1;
  return session;
}

TEST(Recorded, KeepsTheMedianOfEachRound) {
  const RecordedSession recorded = make_recorded(one_arm());
  EXPECT_EQ(recorded.executable.path, "suite_bench");
  ASSERT_EQ(recorded.cases.size(), 2U) << "a case without any value has nothing to keep";
  EXPECT_EQ(recorded.cases[0].name, "a");
  EXPECT_EQ(recorded.cases[0].values[0][0], 1.23457) << "six digits";
  EXPECT_EQ(recorded.cases[1].values[0][0], 2.5);
  EXPECT_TRUE(std::isnan(recorded.cases[1].values[0][1])) << "not measured in the second round";
}

TEST(Recorded, RefusesWhatIsNoWholeSessionOfOneArm) {
  Session two = one_arm();
  two.arms.resize(2);
  Session partial = one_arm();
  partial.complete = false;
  Session empty = one_arm();
  empty.rounds.clear();
  for (const Session& session : {two, partial, empty}) {
    EXPECT_THROW(make_recorded(session), Error);
  }
}

TEST_F(RecordedFile, AHundredCasesFit64KiB) {
  RecordedSession session = sample::full_recorded();
  session.rounds = 10;
  session.metrics.resize(1);
  session.reference_names.clear();
  session.reference.clear();
  session.cases.clear();
  for (int i = 0; i < 100; ++i) {
    RecordedCase info;
    info.name = "rmsnorm/impl:vector/rows:4096/cols:4096/dtype:bf16/" + std::to_string(i);
    info.values = {std::vector<double>(10, 1.23456e-05)};
    session.cases.push_back(info);
  }
  EXPECT_LT(recorded_to_json(session).size(), 64U * 1024);
}

TEST_F(RecordedFile, ContradictionsAreRefused) {
  const auto refused = [](const char* pointer, const Json& value) {
    Json document = full_document();
    document[Json::json_pointer(pointer)] = value;
    try {
      read(document.dump());
      ADD_FAILURE() << pointer;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kInvalid) << error.what();
    }
  };
  refused("/machine_class", "someone-elses-machine");
  refused("/rounds", 2);
  refused("/cases/0/values/0", Json::array());
  refused("/cases/0/values/0/0", -1);
  refused("/reference", Json::array());
  refused("/reference/0", Json::array({1, 2}));
}

}  // namespace
}  // namespace perfgate
