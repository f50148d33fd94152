// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/spoil_json.h"
#include "tests/perfgate/evidence/temporary_folder.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using sample::Json;

void read(const std::string& text) { calibration_from_json(text, "c.json"); }

Json full_document() { return Json::parse(calibration_to_json(sample::full_calibration())); }

TEST(CalibrationFile, RoundTripsRandomCalibrations) {
  sample::Random random(21);
  for (int i = 0; i < 300; ++i) {
    const Calibration calibration = sample::random_calibration(random);
    const std::string text = calibration_to_json(calibration);
    const Calibration again = calibration_from_json(text, "c.json");
    ASSERT_EQ(calibration_to_json(again), text);
    ASSERT_EQ(again.rounds, calibration.rounds);
    ASSERT_EQ(again.columns.size(), calibration.columns.size());
    for (std::size_t c = 0; c < calibration.columns.size(); ++c) {
      ASSERT_EQ(again.columns[c].d, calibration.columns[c].d);
      ASSERT_EQ(again.columns[c].case_name, calibration.columns[c].case_name);
      ASSERT_EQ(std::isnan(again.columns[c].pair_sd), std::isnan(calibration.columns[c].pair_sd));
    }
  }
}

TEST(CalibrationFile, IsWrittenAndRead) {
  const sample::TemporaryFolder folder;
  write_calibration(folder / "c.json", sample::full_calibration());
  EXPECT_EQ(calibration_to_json(read_calibration(folder / "c.json")),
            calibration_to_json(sample::full_calibration()));
}

TEST(CalibrationFile, TheRecordedOneIsRead) {
  const Calibration calibration = read_calibration(perfgate::test_support::SourceFolder() +
                                                   "/baselines/calibration/kernels.json");
  EXPECT_GE(calibration.rounds, 20);
  EXPECT_FALSE(calibration.columns.empty());
  EXPECT_TRUE(calibration.left_out.empty());
}

TEST(CalibrationFile, EveryDeletionIsRefused) {
  sample::expect_deletions_refused(full_document(), read);
}

TEST(CalibrationFile, EveryWrongTypeIsRefused) {
  const auto allowed = [](const Json::json_pointer& pointer, const Json& other) {
    const std::string text = pointer.to_string();
    if (!other.is_null()) return false;
    if (text.starts_with("/policy/cases/0/")) return !text.ends_with("/match");
    return text.ends_with("/value") || text.ends_with("/pair_sd") || text.ends_with("/between_sd");
  };
  sample::expect_type_changes_refused(full_document(), read, allowed);
}

TEST(CalibrationFile, UnknownFieldsAreRefused) {
  sample::expect_additions_refused(full_document(), read);
}

TEST(CalibrationFile, TruncationIsRefused) {
  sample::expect_truncations_refused(calibration_to_json(sample::full_calibration()), read);
}

TEST(CalibrationFile, ValuesOutOfRangeAreRefused) {
  const std::vector<std::pair<std::string, Json>> edits = {{"/rounds", 0},
                                                           {"/round_s", -1},
                                                           {"/session_id", "xyz"},
                                                           {"/seed", "0123"},
                                                           {"/columns/0/round_sd", -0.1},
                                                           {"/columns/0/pair_sd", -0.1},
                                                           {"/columns/0/setup_share", 1.5},
                                                           {"/columns/0/metric/kind", "speed"}};
  for (const auto& [pointer, value] : edits) {
    Json document = full_document();
    document[Json::json_pointer(pointer)] = value;
    sample::expect_refused(read, document, "c.json: " + pointer + ": ", value.dump());
  }
}

TEST(CalibrationFile, ContradictionsAreInvalidEvidence) {
  const auto expect_invalid = [](const Json& document, const std::string& pointer) {
    sample::expect_contradiction(read, document, "c.json: " + pointer);
  };
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
