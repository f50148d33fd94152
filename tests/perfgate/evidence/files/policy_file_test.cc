// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/spoil_json.h"

namespace perfgate {
namespace {

using sample::Json;
using testing::HasSubstr;

Policy read(const std::string& text) { return policy_from_json(text, "p.json"); }
void read_and_drop(const std::string& text) { read(text); }

Json full_document() { return Json::parse(policy_to_json(sample::full_policy())); }

TEST(PolicyFile, RoundTripsRandomPolicies) {
  sample::Random random(9);
  for (int i = 0; i < 300; ++i) {
    const std::string text = policy_to_json(sample::random_policy(random));
    ASSERT_EQ(policy_to_json(read(text)), text);
  }
}

TEST(PolicyFile, FieldsLeftOutKeepTheirDefaults) {
  EXPECT_EQ(policy_to_json(read(R"({"format":"perfgate-policy","version":1})")),
            policy_to_json(Policy{}));
  const Json full = full_document();
  for (const auto& [key, value] : full.items()) {
    if (key == "format" || key == "version") continue;
    Json alone = {{"format", "perfgate-policy"}, {"version", 1}, {key, value}};
    Json expected = Json::parse(policy_to_json(Policy{}));
    expected[key] = value;
    EXPECT_EQ(Json::parse(policy_to_json(read(alone.dump()))), expected) << key;
  }
}

TEST(PolicyFile, ReadsFractionsAsText) {
  const Policy policy = read(R"({
    "format": "perfgate-policy", "version": 1,
    "tolerance": "2%", "alpha": "1 %", "budget_s": 60, "hide_limit": "0.2",
    "cases": [{"match": "memcpy/*", "tolerance": "6%"}, {"match": "*/impl:reference/*", "gate": false}],
    "metrics": [{"name": "allocs", "unit": "1", "direction": "lower", "kind": "count"}],
    "expected": ["memcpy/bytes:64"]})");
  EXPECT_EQ(policy.tolerance, 0.02);
  EXPECT_EQ(policy.alpha, 0.01);
  EXPECT_EQ(policy.hide_limit, 0.2);
  EXPECT_EQ(policy.cases.at(0).tolerance, 0.06);
  EXPECT_FALSE(policy.cases.at(0).gate.has_value());
  EXPECT_EQ(policy.cases.at(1).gate, false);
  EXPECT_FALSE(policy.cases.at(1).tolerance.has_value());
  EXPECT_EQ(policy.metrics.at(0).kind, Kind::kCount);
}

TEST(PolicyFile, EveryWrongTypeIsRefused) {
  const auto allowed = [](const Json::json_pointer& pointer, const Json& other) {
    const std::string text = pointer.to_string();
    return other.is_null() && text.starts_with("/cases/0/") && !text.ends_with("/match");
  };
  sample::expect_type_changes_refused(full_document(), read_and_drop, allowed);
}

TEST(PolicyFile, UnknownFieldsNameTheNearest) {
  sample::expect_additions_refused(full_document(), read_and_drop);
  Json document = full_document();
  document["tolerence"] = 0.1;
  sample::expect_refused(read_and_drop, document,
                         "p.json: /tolerence: unknown field; did you mean \"tolerance\"?", "typo");
  document = full_document();
  document["cases"][0]["gates"] = true;
  sample::expect_refused(read_and_drop, document,
                         "/cases/0/gates: unknown field; did you mean \"gate\"?", "typo");
}

TEST(PolicyFile, HeaderIsNeeded) {
  sample::expect_refused(read_and_drop, Json::object(), "/format", "no format");
  sample::expect_refused(read_and_drop, Json({{"format", "perfgate-policy"}}), "/version",
                         "no version");
}

TEST(PolicyFile, TruncationIsRefused) {
  sample::expect_truncations_refused(policy_to_json(sample::full_policy()), read_and_drop);
}

TEST(PolicyFile, ValuesOutOfRangeAreBadData) {
  const std::vector<std::pair<std::string, Json>> edits = {{"/tolerance", -0.1},
                                                           {"/tolerance", "-2%"},
                                                           {"/tolerance", "two"},
                                                           {"/alpha", 0},
                                                           {"/budget_s", "60s"},
                                                           {"/pairs", 0},
                                                           {"/pairs", 1.5},
                                                           {"/filter", "("},
                                                           {"/cases/0/match", ""},
                                                           {"/expected/0", ""},
                                                           {"/metrics/0/name", ""},
                                                           {"/metrics/0/direction", "down"},
                                                           {"/cases/0/tolerance", "6"}};
  for (const auto& [pointer, value] : edits) {
    Json document = full_document();
    document[Json::json_pointer(pointer)] = value;
    if (pointer == "/cases/0/tolerance") {
      EXPECT_EQ(read(document.dump()).cases[0].tolerance, 6);
      continue;
    }
    try {
      read(document.dump());
      ADD_FAILURE() << pointer << " = " << value << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      const std::string field = pointer.substr(0, pointer.find('/', 1));
      EXPECT_THAT(error.what(), HasSubstr("p.json: "));
      EXPECT_THAT(error.what(), HasSubstr(field)) << pointer;
    }
  }
}

}  // namespace
}  // namespace perfgate
