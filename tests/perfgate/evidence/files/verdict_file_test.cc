// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"

namespace perfgate {
namespace {

using sample::Json;

using VerdictFile = sample::FileTest<sample::VerdictFormat>;

TEST_F(VerdictFile, ContradictionsAreInvalidEvidence) {
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

TEST_F(VerdictFile, AGreenExitNeedsGreenColumns) {
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
