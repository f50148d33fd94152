// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/spoil_json.h"

namespace perfgate {
namespace {

using sample::Json;

void read(const std::string& text) { plan_from_json(text, "p.json"); }

Json full_document() { return Json::parse(plan_to_json(sample::full_plan())); }

TEST(PlanFile, RoundTripsRandomPlans) {
  sample::Random random(22);
  for (int i = 0; i < 300; ++i) {
    const SuitePlan plan = sample::random_plan(random);
    const std::string text = plan_to_json(plan);
    const SuitePlan again = plan_from_json(text, "p.json");
    ASSERT_EQ(plan_to_json(again), text);
    ASSERT_EQ(again.looks, plan.looks);
    ASSERT_EQ(again.rules.size(), plan.rules.size());
    ASSERT_EQ(again.columns.size(), plan.columns.size());
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      ASSERT_EQ(again.columns[c].fail_share, plan.columns[c].fail_share);
      ASSERT_EQ(again.columns[c].rounds_to_pass, plan.columns[c].rounds_to_pass);
      ASSERT_EQ(again.columns[c].supported_tolerance, plan.columns[c].supported_tolerance);
    }
  }
}

TEST(PlanFile, EveryDeletionIsRefused) { sample::expect_deletions_refused(full_document(), read); }

TEST(PlanFile, EveryWrongTypeIsRefused) {
  const std::vector<std::string> may_be_null = {
      "/value",       "/rounds_to_pass", "/rounds_to_fail",     "/fail_share",
      "/fail_rounds", "/detectable",     "/supported_tolerance"};
  const auto allowed = [&](const Json::json_pointer& pointer, const Json& other) {
    const std::string text = pointer.to_string();
    if (!other.is_null()) return false;
    if (text.starts_with("/policy/cases/0/") || text.starts_with("/rules/0/")) {
      return !text.ends_with("/match");
    }
    return text.starts_with("/columns/0/") &&
           std::any_of(may_be_null.begin(), may_be_null.end(),
                       [&](const std::string& end) { return text.ends_with(end); });
  };
  sample::expect_type_changes_refused(full_document(), read, allowed);
}

TEST(PlanFile, UnknownFieldsAreRefused) { sample::expect_additions_refused(full_document(), read); }

TEST(PlanFile, TruncationIsRefused) {
  sample::expect_truncations_refused(plan_to_json(sample::full_plan()), read);
}

TEST(PlanFile, ContradictionsAreInvalidEvidence) {
  const auto expect_invalid = [](const Json& document, const std::string& pointer) {
    sample::expect_contradiction(read, document, "p.json: " + pointer);
  };
  Json document = full_document();
  document["exit"] = 0;
  expect_invalid(document, "/exit");
  document["columns"][0]["resolved"] = true;
  read(document.dump());
  document = full_document();
  document["looks"] = {10, 6};
  expect_invalid(document, "/looks/1");
  document = full_document();
  document["look_alpha"] = {0};
  expect_invalid(document, "/look_alpha");
  document = full_document();
  document["columns"].push_back(document["columns"][0]);
  expect_invalid(document, "/columns/1");
}

}  // namespace
}  // namespace perfgate
