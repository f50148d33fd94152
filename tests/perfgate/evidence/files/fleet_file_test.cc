// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"

namespace perfgate {
namespace {

using sample::Json;

using FleetFile = sample::FileTest<sample::FleetFormat>;

TEST_F(FleetFile, ContradictionsAreInvalidEvidence) {
  Json document = full_document();
  document["jobs"] = 1;
  expect_invalid(document, "/cases/0/job");
  document["jobs"] = 2000000000;
  expect_invalid(document, "/jobs");
  document = full_document();
  document["cases"][0]["job"] = 1;
  expect_invalid(document, "/jobs: job 2 has no case");
  document = full_document();
  document["cases"][1]["name"] = document["cases"][0]["name"];
  expect_invalid(document, "/cases/1/name");
  document = full_document();
  document["looks"] = {10, 6};
  expect_invalid(document, "/looks/1");
  document = full_document();
  document["arms"].erase(0);
  expect_invalid(document, "/arms");
}

TEST(DigestOfPlan, ChangesWithEverythingThatThePlanSays) {
  const FleetPlan plan = sample::full_fleet();
  FleetPlan other = plan;
  EXPECT_EQ(DigestOfPlan(other), DigestOfPlan(plan));
  other.policy.tolerance += 0.01;
  EXPECT_NE(DigestOfPlan(other), DigestOfPlan(plan));
  other = plan;
  other.cases[0].job = 1;
  EXPECT_NE(DigestOfPlan(other), DigestOfPlan(plan));
}

using SessionParts = sample::FileTest<sample::SessionFormat>;

TEST_F(SessionParts, ContradictionsAreInvalidEvidence) {
  Json document = full_document();
  document["fleet"]["job"] = 9;
  expect_invalid(document, "/fleet/job");
  document = full_document();
  document["parts"].push_back(document["parts"][0]);
  expect_invalid(document, "/parts/1/job");
  document = full_document();
  document["parts"][0]["job"] = 9;
  expect_invalid(document, "/parts/0/job");
}

}  // namespace
}  // namespace perfgate
