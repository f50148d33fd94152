// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"
#include "tests/perfgate/evidence/random_values.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::Json;
using testing::HasSubstr;

using SessionFile = sample::FileTest<sample::SessionFormat>;

TEST_F(SessionFile, EveryDoubleSurvivesBitForBit) {
  sample::Random random(6);
  Session session = sample::full_session();
  std::vector<double>& slices = session.rounds[0].cases[0].values[1][0];
  slices = {0.0,
            -0.0,
            1e-320,
            std::numeric_limits<double>::denorm_min(),
            std::numeric_limits<double>::max(),
            9007199254740993.0,
            1.5e300,
            123456789012345680000.0};
  for (int i = 0; i < 20000; ++i) slices.push_back(sample::random_double(random));
  for (auto& metric : session.rounds[0].cases[0].values) {
    for (auto& arm : metric) arm.resize(slices.size(), sample::kNaN);
  }
  session.rounds[0].cases[0].slice_wall_s.clear();
  session.rounds[0].cases[0].slice_timed_s.clear();
  const Session again = session_from_json(session_to_json(session), "s.json");
  const std::vector<double>& read_back = again.rounds[0].cases[0].values[1][0];
  ASSERT_EQ(read_back.size(), slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    ASSERT_EQ(read_back[i], slices[i]) << i;
    ASSERT_EQ(std::signbit(read_back[i]), std::signbit(slices[i])) << i;
  }
  EXPECT_TRUE(std::isnan(again.rounds[0].cases[0].values[0][1][1]));
}

TEST_F(SessionFile, NamesMayHoldEveryByte) {
  Session session = sample::full_session();
  std::string name;
  for (int c = 0; c <= 0x7f; ++c) name += static_cast<char>(c);
  name += "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  session.cases[0].name = name;
  session.faults[0].detail = "cut \xE2\x82 here";
  const Session again = session_from_json(session_to_json(session), "s.json");
  EXPECT_EQ(again.cases[0].name, name);
  EXPECT_EQ(again.faults[0].detail, "cut \xEF\xBF\xBD\xEF\xBF\xBD here");
}

TEST_F(SessionFile, HasOneRoundPerLine) {
  Session session = sample::full_session();
  session.rounds.push_back(session.rounds[0]);
  session.rounds[1].index = 1;
  const std::string one = session_to_json(sample::full_session());
  const std::string two = session_to_json(session);
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), std::count(one.begin(), one.end(), '\n') + 1);
}

TEST_F(SessionFile, NumbersThatAreNotFiniteAreNeverWritten) {
  Session session = sample::full_session();
  session.wall_s = sample::kNaN;
  EXPECT_THROW(session_to_json(session), std::logic_error);
  session = sample::full_session();
  session.rounds[0].cases[0].values[0][0][0] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(session_to_json(session), std::logic_error);
}

TEST_F(SessionFile, UnknownFieldsNameTheNearest) {
  Json document = full_document();
  document["wall"] = 1;
  sample::expect_refused(read, document, "did you mean \"wall_s\"?", "wall");
  sample::expect_refused(read, Json::parse(verdict_to_json(sample::full_verdict())), "/format",
                         "a verdict");
}

// Every list of the file one element longer and one shorter, where others depend on its size.
TEST_F(SessionFile, SizesMustAgree) {
  const Json document = full_document();
  const std::vector<std::string> lists = {"/metrics",
                                          "/arms",
                                          "/cases",
                                          "/rounds/0/cases/0/values",
                                          "/schedule/looks",
                                          "/rounds/0/cases/0/values/0",
                                          "/schedule/look_alpha",
                                          "/rounds/0/cases/0/values/1/1",
                                          "/rounds/0/cases/0/values/0/0"};
  for (const std::string& list : lists) {
    const Json::json_pointer pointer(list);
    Json shorter = document;
    shorter[pointer].erase(shorter[pointer].size() - 1);
    EXPECT_THROW(read(shorter.dump()), Error) << list;
    if (list == "/cases") continue;  // a case that no round measured is no contradiction
    Json longer = document;
    longer[pointer].push_back(longer[pointer].back());
    EXPECT_THROW(read(longer.dump()), Error) << list;
  }
}

TEST_F(SessionFile, ContradictionsAreInvalidEvidence) {
  const std::vector<std::pair<std::string, Json>> edits = {
      {"/rounds/0/index", 1},
      {"/rounds/0/coin", 2},
      {"/rounds/0/cases/0/case_index", 1},
      {"/rounds/0/cases/0/first_arm", 2},
      {"/rounds/0/cases/0/values/0/0/1", 0},
      {"/rounds/0/cases/0/values/0/1/0", -1e-9},
      {"/faults/0/case_index", 1},
      {"/faults/0/arm", 2},
      {"/faults/0/round", 2},
      {"/schedule/looks/1", 6},
      {"/metrics/1/name", "real_time"},
      {"/cases/0/aggregates/0", "unmeasured"},
      {"/cases/0/workload/1/name", "dtype"},
      {"/faults/0/metric", "unmeasured"}};
  for (const auto& [pointer, value] : edits) {
    Json document = full_document();
    document[Json::json_pointer(pointer)] = value;
    try {
      read(document.dump());
      ADD_FAILURE() << pointer << " = " << value << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kInvalid) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("f.json: " + pointer + ": "));
    }
  }
  Json document = full_document();
  document["rounds"][0]["cases"].push_back(document["rounds"][0]["cases"][0]);
  sample::expect_refused(read, document, "/rounds/0/cases/1/case_index", "a case twice");
  document = full_document();
  document["cases"].push_back(document["cases"][0]);
  sample::expect_refused(read, document, "/cases/1/name", "a name twice");
}

TEST_F(SessionFile, FilesAreWrittenReadAndRecognised) {
  const sample::TemporaryFolder folder;
  write_session(folder / "s.json", sample::full_session());
  EXPECT_EQ(session_to_json(read_session(folder / "s.json")),
            session_to_json(sample::full_session()));
  write_verdict(folder / "v.json", sample::full_verdict());
  write_file_atomically(folder / "plan.json", plan_to_json(sample::full_plan()));
  EXPECT_EQ(read_plan(folder / "plan.json").gates, sample::full_plan().gates);
  EXPECT_THROW(read_session(folder / "v.json"), Error);
  EXPECT_THROW(read_calibration(folder / "s.json"), Error);
  EXPECT_THROW(read_session(folder / "none.json"), Error);
  for (const char* other : {"[]", "{}", R"({"format":1})", R"({"format":"perfgate-x"})", "x"}) {
    write_file_atomically(folder / "o.json", other);
    EXPECT_THROW(file_format(folder / "o.json"), Error) << other;
  }
}

}  // namespace
}  // namespace perfgate
