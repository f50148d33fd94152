// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"
#include "tests/perfgate/evidence/temporary_folder.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using sample::Json;

using CalibrationFile = sample::FileTest<sample::CalibrationFormat>;

TEST_F(CalibrationFile, IsWrittenAndRead) {
  const sample::TemporaryFolder folder;
  write_calibration(folder / "c.json", sample::full_calibration());
  EXPECT_EQ(calibration_to_json(read_calibration(folder / "c.json")),
            calibration_to_json(sample::full_calibration()));
}

TEST_F(CalibrationFile, TheRecordedOneIsRead) {
  const Calibration calibration = read_calibration(perfgate::test_support::SourceFolder() +
                                                   "/baselines/calibration/kernels.json");
  EXPECT_GE(calibration.rounds, 20);
  EXPECT_FALSE(calibration.columns.empty());
  EXPECT_TRUE(calibration.left_out.empty());
}

TEST_F(CalibrationFile, ContradictionsAreInvalidEvidence) {
  Json document = full_document();
  document["columns"][0]["d"].push_back(0.5);
  expect_invalid(document, "/columns/0/d");
  document = full_document();
  document["columns"].push_back(document["columns"][0]);
  expect_invalid(document, "/columns/1");
  document = full_document();
  document["launch_s"] = 2;
  expect_invalid(document, "/launch_s");
  document = full_document();
  document["columns"][0]["value"] = 0;
  expect_invalid(document, "/columns/0/value");
  document["columns"][0]["metric"]["kind"] = "count";
  read(document.dump());
}

}  // namespace
}  // namespace perfgate
