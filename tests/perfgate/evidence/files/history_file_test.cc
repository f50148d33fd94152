// SPDX-License-Identifier: Apache-2.0
// Histories and bisections that contradict themselves.
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"

namespace perfgate {
namespace {

using sample::Json;

using HistoryFile = sample::FileTest<sample::HistoryFormat>;

TEST_F(HistoryFile, ContradictionsAreInvalidEvidence) {
  Json document = full_document();
  document["series"].push_back(document["series"][0]);
  expect_invalid(document, "/series/1");
  document = full_document();
  document["series"][0]["points"] = Json::array();
  expect_invalid(document, "/series/0/points");
  for (const int index : {0, 3}) {
    document = full_document();
    document["series"][0]["changes"][0]["index"] = index;
    expect_invalid(document, "/series/0/changes/0/index");
  }
  document = full_document();
  document["series"][0]["changes"][0]["range_hi"] = 3;
  expect_invalid(document, "/series/0/changes/0/range_lo");
  document["series"][0]["changes"][0]["range_hi"] = 1;
  expect_invalid(document, "/series/0/changes/0/range_lo");
}

using BisectionFile = sample::FileTest<sample::BisectionFormat>;

TEST_F(BisectionFile, ContradictionsAreInvalidEvidence) {
  Json document = full_document();
  document["commits"][1]["commit"] = document["commits"][0]["commit"];
  expect_invalid(document, "/commits/1/commit");
  document = full_document();
  document["commits"] = Json::array({document["commits"][0]});
  expect_invalid(document, "/commits");
  document = full_document();
  document["commits"][0]["answer"] = "open";
  expect_invalid(document, "/commits");
  document["case_name"] = "";
  read(document.dump());
}

}  // namespace
}  // namespace perfgate
