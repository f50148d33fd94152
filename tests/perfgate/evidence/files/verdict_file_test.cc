// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/spoil_json.h"

namespace perfgate {
namespace {

using sample::Json;
using testing::HasSubstr;

void read(const std::string& text) { verdict_from_json(text, "v.json"); }

Json full_document() { return Json::parse(verdict_to_json(sample::full_verdict())); }

void expect_same(double a, double b) {
  EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
}

TEST(VerdictFile, RoundTripsRandomVerdicts) {
  sample::Random random(8);
  for (int i = 0; i < 300; ++i) {
    const SuiteVerdict verdict = sample::random_verdict(random);
    const std::string text = verdict_to_json(verdict);
    const SuiteVerdict again = verdict_from_json(text, "v.json");
    ASSERT_EQ(verdict_to_json(again), text);
    ASSERT_EQ(again.exit, verdict.exit);
    ASSERT_EQ(again.columns.size(), verdict.columns.size());
    for (std::size_t c = 0; c < verdict.columns.size(); ++c) {
      const ColumnVerdict& a = again.columns[c];
      const ColumnVerdict& b = verdict.columns[c];
      ASSERT_EQ(a.case_name, b.case_name);
      ASSERT_EQ(a.verdict, b.verdict);
      ASSERT_EQ(a.claim, b.claim);
      ASSERT_EQ(a.p_adjusted, b.p_adjusted);
      ASSERT_EQ(a.rounds_to_pass, b.rounds_to_pass);
      expect_same(a.effect.lo, b.effect.lo);
      expect_same(a.effect.range_hi, b.effect.range_hi);
      expect_same(a.candidate, b.candidate);
    }
  }
}

TEST(VerdictFile, EveryDeletionIsRefused) {
  sample::expect_deletions_refused(full_document(), read);
}

TEST(VerdictFile, EveryWrongTypeIsRefused) {
  const std::vector<std::string> may_be_null = {"/estimate",
                                                "/lo",
                                                "/hi",
                                                "/range_lo",
                                                "/range_hi",
                                                "/p_adjusted",
                                                "/noise_sd",
                                                "/rounds_to_pass",
                                                "/rounds_to_fail",
                                                "/rounds_range_lo",
                                                "/rounds_range_hi",
                                                "/detectable",
                                                "/baseline",
                                                "/candidate"};
  const auto allowed = [&](const Json::json_pointer& pointer, const Json& other) {
    const std::string text = pointer.to_string();
    if (!other.is_null()) return false;
    if (text.starts_with("/policy/cases/0/")) return !text.ends_with("/match");
    return text.starts_with("/columns/0/") &&
           std::any_of(may_be_null.begin(), may_be_null.end(),
                       [&](const std::string& end) { return text.ends_with(end); });
  };
  sample::expect_type_changes_refused(full_document(), read, allowed);
}

TEST(VerdictFile, UnknownFieldsAreRefused) {
  sample::expect_additions_refused(full_document(), read);
}

TEST(VerdictFile, TruncationIsRefused) {
  sample::expect_truncations_refused(verdict_to_json(sample::full_verdict()), read);
}

TEST(VerdictFile, ValuesOutOfRangeAreRefused) {
  const std::vector<std::pair<std::string, Json>> edits = {
      {"/exit", 1},
      {"/exit", 10.5},
      {"/columns/0/verdict", "fine"},
      {"/columns/0/claim", "Strong"},
      {"/columns/0/p_adjusted", 1.5},
      {"/columns/0/rounds", -1},
      {"/columns/0/rounds_to_pass", -1},
      {"/columns/0/metric/kind", "speed"},
      {"/columns/0/effect/range_confidence", 2},
      {"/rounds", -1}};
  for (const auto& [pointer, value] : edits) {
    Json document = full_document();
    document[Json::json_pointer(pointer)] = value;
    sample::expect_refused(read, document, "v.json: " + pointer + ": ", value.dump());
  }
}

TEST(VerdictFile, ContradictionsAreInvalidEvidence) {
  const auto expect_invalid = [](const Json& document, const std::string& pointer) {
    sample::expect_contradiction(read, document, "v.json: " + pointer);
  };
  Json document = full_document();
  document["columns"][0]["effect"]["lo"] = 0.06;
  expect_invalid(document, "/columns/0/effect");
  document = full_document();
  document["columns"][0]["effect"]["range_lo"] = 0.06;
  expect_invalid(document, "/columns/0/effect");
  document = full_document();
  document["columns"].push_back(document["columns"][0]);
  expect_invalid(document, "/columns/1");
  document = full_document();
  document["schedule"]["looks"].push_back(16);
  expect_invalid(document, "/schedule/look_alpha");
}

TEST(VerdictFile, AGreenExitNeedsGreenColumns) {
  for (const char* word :
       {"invalid", "failed", "regression", "not_comparable", "missing", "suspected", "inconclusive",
        "no_regression", "improvement", "skipped", "new"}) {
    Json document = full_document();
    document["exit"] = 0;
    document["columns"][0]["verdict"] = word;
    const bool red = Json({"invalid", "failed", "regression", "not_comparable", "missing"})
                         .dump()
                         .find("\"" + std::string(word) + "\"") != std::string::npos;
    if (red) {
      sample::expect_refused(read, document, "/exit", word);
    } else {
      read(document.dump());
    }
    document["columns"][0]["gated"] = false;
    read(document.dump());
  }
}

}  // namespace
}  // namespace perfgate
