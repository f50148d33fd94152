// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"

namespace perfgate {
namespace {

using sample::Json;

using PlanFile = sample::FileTest<sample::PlanFormat>;

TEST_F(PlanFile, ContradictionsAreInvalidEvidence) {
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
