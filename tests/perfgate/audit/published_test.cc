// SPDX-License-Identifier: Apache-2.0
// Lists against measurements, with one item changed at a time.
#include "perfgate/audit/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/audit/fixtures.h"

namespace perfgate::audit {
namespace {

using fixtures::json;
using testing::HasSubstr;

json facts() { return json::parse(read_file_text(fixtures::path_of("parity/commits.json"))); }
json claims() {
  return json::parse(read_file_text(fixtures::path_of("audit/published_claims.json")));
}

AuditResult audit_of(const json& measured, const json& published) {
  AuditInput input;
  read_audit_text("facts.json", measured.dump(), input);
  read_audit_text("claims.json", published.dump(), input);
  return audit(input);
}

// Findings about one item with this field and kind.
int count(const AuditResult& result, const std::string& id, const std::string& field, Kind kind) {
  int found = 0;
  for (const Finding& finding : result.findings) {
    found += finding.commit == id && finding.field == field && finding.kind == kind ? 1 : 0;
  }
  return found;
}

json& item(json& document, const std::string& id) {
  for (json& commit : document["commits"]) {
    if (commit["id"] == id) return commit;
  }
  throw std::logic_error("no item " + id);
}

TEST(Published, EveryPercentageIsRecomputed) {
  const json measured = facts();
  const json published = claims();
  int changed = 0;
  for (std::size_t i = 0; i < published["commits"].size(); ++i) {
    const json& commit = published["commits"][i];
    for (const auto& [pair, value] : commit["deltas_pct"].items()) {
      for (const double off : {-7.0, 7.0}) {
        json copy = published;
        copy["commits"][i]["deltas_pct"][pair] = value.get<double>() + off;
        const AuditResult result = audit_of(measured, copy);
        const std::string field = "deltas_pct." + pair;
        EXPECT_EQ(count(result, commit["id"], field, Kind::kArithmetic) +
                      count(result, commit["id"], field, Kind::kComparability),
                  1)
            << commit["id"] << " " << pair;
        ++changed;
      }
    }
  }
  EXPECT_GE(changed, 100);
}

TEST(Published, EveryOutcomeIsRecomputed) {
  const json measured = facts();
  const json published = claims();
  for (std::size_t i = 0; i < published["commits"].size(); ++i) {
    const json& commit = published["commits"][i];
    for (const char* outcome : {"win", "match", "loss", "failed"}) {
      if (commit["outcomes"] == json::array({outcome})) continue;
      json copy = published;
      copy["commits"][i]["outcomes"] = json::array({outcome});
      // The only item whose label changes inside the rounding of its operands would be one within
      // a hair of 5 %; there is none here.
      EXPECT_EQ(count(audit_of(measured, copy), commit["id"], "outcomes", Kind::kClassification), 1)
          << commit["id"] << " " << outcome;
    }
  }
}

TEST(Published, EveryDispositionCounts) {
  const json measured = facts();
  const json published = claims();
  for (std::size_t i = 0; i < published["commits"].size(); ++i) {
    const json& commit = published["commits"][i];
    for (const bool twice : {false, true}) {
      json copy = published;
      json& list = copy["commits"][i]["lists"];
      if (twice) {
        list["disposition"] = json::array({"done", "maybe_retry"});
      } else {
        list.erase("disposition");
      }
      EXPECT_EQ(count(audit_of(measured, copy), commit["id"], "lists.disposition", Kind::kTotal),
                1);
    }
  }
}

TEST(Published, CategoriesFollowFromTheData) {
  const json measured = facts();
  const json published = claims();
  const std::vector<std::string> categories = {
      "valid_3way", "invalid_3way",  "separate_human_agent", "modal_baseline_human",  "human_only",
      "agent_only", "baseline_only", "docker_only",          "complete_failure_error"};
  for (std::size_t i = 0; i < published["commits"].size(); ++i) {
    const json& commit = published["commits"][i];
    if (!commit["lists"].contains("category")) continue;
    const std::string right = commit["lists"]["category"][0];
    for (const std::string& wrong : categories) {
      if (wrong == right ||
          (wrong.starts_with("complete_failure") && right.starts_with("complete_failure"))) {
        continue;
      }
      json copy = published;
      copy["commits"][i]["lists"]["category"] = json::array({wrong});
      EXPECT_GE(
          count(audit_of(measured, copy), commit["id"], "lists.category", Kind::kClassification), 1)
          << commit["id"] << " " << wrong;
    }
  }
}

TEST(Published, LengthsAndUnknownItems) {
  json published = claims();
  published["commits"].erase(3);
  json measured = facts();
  measured["commits"].erase(5);
  measured["commits"].erase(7);
  const AuditResult result = audit_of(measured, published);
  int lengths = 0;
  for (const Finding& finding : result.findings) {
    if (finding.kind != Kind::kListVsHeading) continue;
    EXPECT_EQ(finding.pointer, "/n");
    ++lengths;
  }
  EXPECT_EQ(lengths, 2);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_THAT(result.notes[0], HasSubstr("2 of 59 items"));
}

TEST(Published, DirectionsAreKnownByTheMetric) {
  json measured = facts();
  json& entry = item(measured, "b690e348")["measurements"][0];
  entry["better"] = "higher";
  const AuditResult result = audit_of(measured, claims());
  EXPECT_EQ(count(result, "b690e348", "measurements[0].better", Kind::kDirection), 1);
  // The published percentages were right, and still are.
  EXPECT_EQ(count(result, "b690e348", "deltas_pct.human_agent", Kind::kArithmetic), 0);
}

TEST(Published, UnitsAreKnownByTheMetric) {
  json measured = facts();
  const json published = claims();
  const std::size_t before = audit_of(measured, published).findings.size();
  json& entry = item(measured, "015069b0")["measurements"][0];
  ASSERT_EQ(entry["metric"], "throughput_tok_s");
  entry["unit"] = "ms";
  const AuditResult result = audit_of(measured, published);
  EXPECT_EQ(count(result, "015069b0", "measurements[0].unit", Kind::kMetadata), 1);
  EXPECT_EQ(result.findings.size(), before + 1) << "the rest is recomputed all the same";
}

// A label that its own percentage contradicts needs no measurement to be found.
TEST(Published, OutcomesFollowFromThePercentageBesideThem) {
  const auto of = [](double delta, const std::string& outcome) {
    const json claim = {{"id", "other"},
                        {"deltas_pct", {{"human_agent", delta}}},
                        {"outcomes", {outcome}},
                        {"lists", json::object()},
                        {"models", json::array()}};
    const json list = {{"format", "perfgate-published-claims/1"}, {"n", 1}, {"commits", {claim}}};
    return count(audit_of(facts(), list), "other", "outcomes", Kind::kClassification);
  };
  EXPECT_EQ(of(-5.4, "match"), 1);
  EXPECT_EQ(of(-5.4, "loss"), 0);
  EXPECT_EQ(of(5.0, "win"), 0) << "5.04 is printed so";
  EXPECT_EQ(of(12.5, "match"), 1);
}

TEST(Published, RefusesTwoItemsOfOneName) {
  json published = claims();
  published["commits"][1]["id"] = published["commits"][0]["id"];
  AuditInput input;
  try {
    read_audit_text("claims.json", published.dump(), input);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kInvalid);
    EXPECT_THAT(error.what(), HasSubstr("/commits/1/id"));
  }
}

}  // namespace
}  // namespace perfgate::audit
