// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/spoil_json.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::Json;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void read(const std::string& text) { session_from_json(text, "s.json"); }

Json full_document() { return Json::parse(session_to_json(sample::full_session())); }

TEST(SessionFile, RoundTripsRandomSessions) {
  sample::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Session session = sample::random_session(random);
    const std::string text = session_to_json(session);
    const Session again = session_from_json(text, "s.json");
    // Equal texts are equal values, as long as different values have different texts; the spot
    // checks below look at the values themselves.
    ASSERT_EQ(session_to_json(again), text);
    ASSERT_EQ(again.cases.size(), session.cases.size());
    for (std::size_t c = 0; c < session.cases.size(); ++c) {
      ASSERT_EQ(again.cases[c].name, session.cases[c].name);
      ASSERT_EQ(again.cases[c].iterations, session.cases[c].iterations);
    }
    ASSERT_EQ(again.wall_s, session.wall_s);
    ASSERT_EQ(again.metrics, session.metrics);
  }
}

TEST(SessionFile, EveryDoubleSurvivesBitForBit) {
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
    for (auto& arm : metric) arm.resize(slices.size(), kNaN);
  }
  const Session again = session_from_json(session_to_json(session), "s.json");
  const std::vector<double>& read_back = again.rounds[0].cases[0].values[1][0];
  ASSERT_EQ(read_back.size(), slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    ASSERT_EQ(read_back[i], slices[i]) << i;
    ASSERT_EQ(std::signbit(read_back[i]), std::signbit(slices[i])) << i;
  }
  EXPECT_TRUE(std::isnan(again.rounds[0].cases[0].values[0][1][1]));
}

TEST(SessionFile, NamesMayHoldEveryByte) {
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

TEST(SessionFile, HasOneRoundPerLine) {
  Session session = sample::full_session();
  session.rounds.push_back(session.rounds[0]);
  session.rounds[1].index = 1;
  const std::string one = session_to_json(sample::full_session());
  const std::string two = session_to_json(session);
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), std::count(one.begin(), one.end(), '\n') + 1);
}

TEST(SessionFile, NumbersThatAreNotFiniteAreNeverWritten) {
  Session session = sample::full_session();
  session.wall_s = kNaN;
  EXPECT_THROW(session_to_json(session), std::logic_error);
  session = sample::full_session();
  session.rounds[0].cases[0].values[0][0][0] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(session_to_json(session), std::logic_error);
}

TEST(SessionFile, EveryDeletionIsRefused) {
  sample::expect_deletions_refused(
      full_document(), read,
      {"/grade", "/unstated", "/unknown_metrics", "/faults/0/metric", "/cases/0/result"});
}

TEST(SessionFile, EveryWrongTypeIsRefused) {
  const auto allowed = [](const Json::json_pointer& pointer, const Json& other) {
    const std::string text = pointer.to_string();
    const bool may_be_null = text.starts_with("/rounds/0/cases/0/values/0/0/") ||
                             text.find("/values/0/1/") != std::string::npos ||
                             text.find("/values/1/0/") != std::string::npos ||
                             text.find("/values/1/1/") != std::string::npos ||
                             text.find("/policy/cases/0/") != std::string::npos;
    if (other.is_null()) return may_be_null && !text.ends_with("/match");
    // The slice that is absent in the sample may hold a number as well.
    return text == "/rounds/0/cases/0/values/0/1/1" && other.is_number();
  };
  sample::expect_type_changes_refused(full_document(), read, allowed);
}

TEST(SessionFile, UnknownFieldsAreRefused) {
  sample::expect_additions_refused(full_document(), read);
  Json document = full_document();
  document["wall"] = 1;
  sample::expect_refused(read, document, "did you mean \"wall_s\"?", "wall");
}

TEST(SessionFile, TruncationIsRefused) {
  sample::expect_truncations_refused(session_to_json(sample::full_session()), read);
}

TEST(SessionFile, WrongFormatAndVersionAreNamed) {
  Json document = full_document();
  document["version"] = 2;
  try {
    read(document.dump());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), HasSubstr("version 2"));
    EXPECT_THAT(error.what(), HasSubstr("reads version 1"));
  }
  for (const Json& version : {Json(0), Json(-1), Json(1.5), Json("1"), Json(1e30)}) {
    document["version"] = version;
    sample::expect_refused(read, document, "/version", version.dump());
  }
  sample::expect_refused(read, Json::parse(verdict_to_json(sample::full_verdict())), "/format",
                         "a verdict");
  sample::expect_refused(read, Json::array(), "the document", "a list");
}

// Every list of the file one element longer and one shorter, where others depend on its size.
TEST(SessionFile, SizesMustAgree) {
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

TEST(SessionFile, ContradictionsAreInvalidEvidence) {
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
      EXPECT_THAT(error.what(), HasSubstr("s.json: " + pointer + ": "));
    }
  }
  Json document = full_document();
  document["rounds"][0]["cases"].push_back(document["rounds"][0]["cases"][0]);
  sample::expect_refused(read, document, "/rounds/0/cases/1/case_index", "a case twice");
  document = full_document();
  document["cases"].push_back(document["cases"][0]);
  sample::expect_refused(read, document, "/cases/1/name", "a name twice");
}

TEST(SessionFile, ValuesOutOfRangeAreRefused) {
  const std::vector<std::pair<std::string, Json>> edits = {
      {"/id", "0011"},
      {"/id", "00112233445566778899AABBCCDDEEFF"},
      {"/schedule/seed", "0123456789abcdeg"},
      {"/wall_s", -1},
      {"/cases/0/threads", 0},
      {"/cases/0/threads", 3000000000},
      {"/cases/0/iterations", -1},
      {"/cases/0/iterations", 18446744073709551615ULL},
      {"/cases/0/setup_share", 1.01},
      {"/rounds/0/coin", -1},
      {"/rounds/0/coin", 0.5},
      {"/rounds/0/cpus/0", -1},
      {"/rounds/0/cases/0/case_index", -1},
      {"/faults/0/round", -2},
      {"/faults/0/round", 18446744073709551615ULL},  // -1 in 64 bits
      {"/rounds/0/conditions/voluntary_switches", 18446744073709551615ULL},
      {"/faults/0/kind", "broken"},
      {"/arms/0/driver", "telepathy"},
      {"/policy/alpha", 0},
      {"/policy/tolerance", "2%"},
      {"/schedule/look_alpha/1", 0.6}};
  for (const auto& [pointer, value] : edits) {
    Json document = full_document();
    document[Json::json_pointer(pointer)] = value;
    sample::expect_refused(read, document, "s.json: " + pointer + ": ", value.dump());
  }
}

TEST(SessionFile, DuplicateKeysAndNonFiniteTokensAreInvalid) {
  const std::string text = session_to_json(sample::full_session());
  for (const std::string with : {R"("wall_s": 1.5, "wall_s": 1)", R"("wall_s": NaN)",
                                 R"("wall_s": -Infinity)", R"("wall_s": 1e400)"}) {
    std::string spoiled = text;
    const std::string field = R"("wall_s": 1.5)";
    ASSERT_NE(spoiled.find(field), std::string::npos);
    spoiled.replace(spoiled.find(field), field.size(), with);
    try {
      read(spoiled);
      ADD_FAILURE() << with << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kInvalid) << error.what();
    }
  }
}

TEST(SessionFile, RandomEditsNeverCrash) {
  sample::Random random(7);
  const std::string text = session_to_json(sample::full_session());
  for (int i = 0; i < 20000; ++i) {
    std::string spoiled = text;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      spoiled[random() % spoiled.size()] = text[random() % text.size()];
    }
    try {
      read(spoiled);
    } catch (const Error&) {
    }
  }
}

TEST(SessionFile, FilesAreWrittenReadAndRecognised) {
  const sample::TemporaryFolder folder;
  write_session(folder / "s.json", sample::full_session());
  EXPECT_EQ(session_to_json(read_session(folder / "s.json")),
            session_to_json(sample::full_session()));
  EXPECT_EQ(file_format(folder / "s.json"), "session");
  write_verdict(folder / "v.json", sample::full_verdict());
  EXPECT_EQ(file_format(folder / "v.json"), "verdict");
  write_policy(folder / "p.json", sample::full_policy());
  EXPECT_EQ(file_format(folder / "p.json"), "policy");
  write_calibration(folder / "c.json", sample::full_calibration());
  EXPECT_EQ(file_format(folder / "c.json"), "calibration");
  write_file_atomically(folder / "plan.json", plan_to_json(sample::full_plan()));
  EXPECT_EQ(file_format(folder / "plan.json"), "plan");
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
