// SPDX-License-Identifier: Apache-2.0
// CSV and JSON: whole numbers, and every name as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perfgate/report/exchange/csv_report.h"
#include "perfgate/report/exchange/json_report.h"
#include "tests/perfgate/evidence/golden_file.h"
#include "tests/perfgate/evidence/schema_validator.h"
#include "tests/perfgate/report/suites/suite_samples.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

// As RFC 4180 reads it.
std::vector<std::vector<std::string>> CsvRows(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = rows.back().back();
    if (quoted && text[i] == '"' && text[i + 1] == '"') {
      cell += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text.substr(i, 2) == "\r\n") {
      rows.push_back({""});
      ++i;
    } else {
      cell += text[i];
    }
  }
  EXPECT_FALSE(quoted);
  rows.pop_back();
  return rows;
}

std::vector<ReportedSuite> Hostile() {
  return {{.title = sample::hostile_names()[0], .verdict = sample::hostile_verdict()},
          {.title = "empty", .verdict = sample::empty_verdict()},
          {.title = "alone", .session = sample::session_of_logs({{0.1}})}};
}

TEST(CsvReport, IsReadBackAsItWas) {
  const auto rows = CsvRows(CsvReport(Hostile()));
  const std::vector<std::string> names = sample::hostile_names();
  ASSERT_EQ(rows.size(), names.size() + 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    ASSERT_EQ(rows[i + 1].size(), rows[0].size());
    EXPECT_EQ(rows[i + 1][1], names[i]);
    EXPECT_EQ(std::stod(rows[i + 1][12]), 0.05);
  }
  EXPECT_EQ(rows[0][12], "change");
}

TEST(JsonReport, FollowsItsSchema) {
  const Json schema = Json::parse(sample::source_text("docs/schema/report.schema.json"));
  const sample::Validator validator(schema);
  std::vector<ReportedSuite> suites = Hostile();
  suites.push_back(sample::suite_of_logs({{0.1, 0.2, 0.3, 0.1, 0.2, 0.3}, {0, 0, 0, 0, 0, 0}}));
  for (const SuiteVerdict& verdict : {sample::mixed_verdict(), sample::identical_verdict(),
                                      sample::skipped_verdict(), sample::full_verdict()}) {
    suites.push_back({.title = "x", .verdict = verdict});
  }
  const Json report = Json::parse(JsonReport(suites));
  EXPECT_EQ(validator.problem(report), "");
  EXPECT_EQ(report["suites"][0]["exit"], 10);
  EXPECT_EQ(report["suites"][2]["exit"], nullptr);
  EXPECT_EQ(report["suites"][0]["cases"][0]["case"], sample::hostile_names()[0]);
  EXPECT_EQ(report["suites"][3]["geometric_means"][0]["rounds"], 6);
  EXPECT_EQ(Json::parse(JsonReport({}))["suites"].size(), 0U);
  sample::Random random(3);
  for (int i = 0; i < 100; ++i) {
    const std::vector<ReportedSuite> one = {
        {.title = "x", .verdict = sample::random_verdict(random)}};
    ASSERT_EQ(validator.problem(Json::parse(JsonReport(one))), "");
  }
}

}  // namespace
}  // namespace perfgate::report
