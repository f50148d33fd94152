// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::Json;

using ParityFile = sample::FileTest<sample::ParityFormat>;

TEST_F(ParityFile, ContradictionsAreInvalidEvidence) {
  Json document = full_document();
  document["exit"] = 0;  // a vacuous match
  expect_invalid(document, "/exit");
  document["columns"][0]["vacuous"] = false;
  read(document.dump());
  for (const char* outcome : {"loss", "failed", "unresolved", "invalid", "missing"}) {
    Json other = document;
    other["columns"][0]["vacuous"] = nullptr;
    other["columns"][0]["outcome"] = outcome;
    expect_invalid(other, "/exit");
    other["columns"][0]["primary"] = false;
    read(other.dump());
  }
  document = full_document();
  document["columns"][0]["outcome"] = "win";
  expect_invalid(document, "/columns/0/vacuous");
  document = full_document();
  document["columns"][0]["human_baseline"]["effect"]["lo"] = 0.5;
  expect_invalid(document, "/columns/0/human_baseline/effect");
  document = full_document();
  document["columns"].push_back(document["columns"][0]);
  expect_invalid(document, "/columns/1");
  document = full_document();
  document["schedule"]["look_alpha"] = {0};
  expect_invalid(document, "/schedule/look_alpha");
}

TEST_F(ParityFile, IsRead) {
  const sample::TemporaryFolder folder;
  write_file_atomically(folder / "p.json", parity_to_json(sample::full_parity()));
  EXPECT_EQ(read_parity(folder / "p.json").columns.size(), 1U);
}

}  // namespace
}  // namespace perfgate
