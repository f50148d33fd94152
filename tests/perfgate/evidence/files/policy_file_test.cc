// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"

namespace perfgate {
namespace {

using sample::Json;

using PolicyFile = sample::FileTest<sample::PolicyFormat>;

TEST_F(PolicyFile, FieldsLeftOutKeepTheirDefaults) {
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

TEST_F(PolicyFile, ReadsFractionsAsText) {
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

TEST_F(PolicyFile, UnknownFieldsNameTheNearest) {
  Json document = full_document();
  document["tolerence"] = 0.1;
  sample::expect_refused(read_and_drop, document,
                         "f.json: /tolerence: unknown field; did you mean \"tolerance\"?", "typo");
  document = full_document();
  document["cases"][0]["gates"] = true;
  sample::expect_refused(read_and_drop, document,
                         "/cases/0/gates: unknown field; did you mean \"gate\"?", "typo");
}

TEST_F(PolicyFile, ANumberAboveOneIsRefusedWhereAFractionIsMeant) {
  for (const Json& value : {Json(2), Json("2"), Json(1.5)}) {
    for (const char* field : {"/tolerance", "/hide_limit", "/cases/0/tolerance"}) {
      Json document = full_document();
      document[Json::json_pointer(field)] = value;
      sample::expect_refused(read_and_drop, document, field, value.dump());
      sample::expect_refused(read_and_drop, document, "% or ", value.dump());
    }
  }
  Json document = full_document();
  document["cases"][0].erase("metric");
  document["cases"][0]["tolerance"] = 6;
  sample::expect_refused(read_and_drop, document, "may mean 6% or 600%",
                         "every metric of the case");
  document["cases"][0]["tolerance"] = "600%";
  EXPECT_EQ(read(document.dump()).cases[0].tolerance, 6);
}

TEST_F(PolicyFile, ARuleOfACounterMayBeInItsUnit) {
  Json document = full_document();
  document["cases"][0]["metric"] = "allocs";
  for (const Json& value : {Json(6), Json("6"), Json("600%")}) {
    document["cases"][0]["tolerance"] = value;
    EXPECT_EQ(read(document.dump()).cases[0].tolerance, 6) << value;
  }
}

}  // namespace
}  // namespace perfgate
