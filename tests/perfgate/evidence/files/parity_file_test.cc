// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/evidence/spoil_json.h"

namespace perfgate {
namespace {

using sample::Json;

void read(const std::string& text) { parity_from_json(text, "p.json"); }

Json full_document() { return Json::parse(parity_to_json(sample::full_parity())); }

TEST(ParityFile, RoundTripsRandomVerdicts) {
  sample::Random random(31);
  for (int i = 0; i < 300; ++i) {
    const ParityVerdict verdict = sample::random_parity(random);
    const std::string text = parity_to_json(verdict);
    const ParityVerdict again = parity_from_json(text, "p.json");
    ASSERT_EQ(parity_to_json(again), text);
    ASSERT_EQ(again.columns.size(), verdict.columns.size());
    for (std::size_t c = 0; c < verdict.columns.size(); ++c) {
      ASSERT_EQ(again.columns[c].outcome, verdict.columns[c].outcome);
      ASSERT_EQ(again.columns[c].vacuous, verdict.columns[c].vacuous);
      ASSERT_EQ(again.columns[c].p_win, verdict.columns[c].p_win);
    }
  }
}

TEST(ParityFile, EveryDeletionIsRefused) {
  sample::expect_deletions_refused(full_document(), read, {"/grade"});
}

TEST(ParityFile, EveryWrongTypeIsRefused) {
  const std::vector<std::string> may_be_null = {
      "/vacuous", "/point_delta", "/p_win", "/p_loss", "/baseline", "/human",
      "/agent",   "/estimate",    "/lo",    "/hi",     "/range_lo", "/range_hi"};
  const auto allowed = [&](const Json::json_pointer& pointer, const Json& other) {
    const std::string text = pointer.to_string();
    if (!other.is_null()) return false;
    if (text.starts_with("/policy/cases/0/")) return !text.ends_with("/match");
    return text.starts_with("/columns/0/") &&
           std::any_of(may_be_null.begin(), may_be_null.end(),
                       [&](const std::string& end) { return text.ends_with(end); });
  };
  sample::expect_type_changes_refused(full_document(), read, allowed);
}

TEST(ParityFile, UnknownFieldsAreRefused) {
  sample::expect_additions_refused(full_document(), read);
}

TEST(ParityFile, TruncationIsRefused) {
  sample::expect_truncations_refused(parity_to_json(sample::full_parity()), read);
}

TEST(ParityFile, ContradictionsAreInvalidEvidence) {
  const auto expect_invalid = [](const Json& document, const std::string& pointer) {
    sample::expect_contradiction(read, document, "p.json: " + pointer);
  };
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

TEST(ParityFile, IsKnownByItsFormat) {
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "parity_file_test.json").string();
  std::ofstream(path) << parity_to_json(sample::full_parity());
  EXPECT_EQ(file_format(path), "parity");
  EXPECT_EQ(read_parity(path).columns.size(), 1U);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace perfgate
