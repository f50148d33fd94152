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
