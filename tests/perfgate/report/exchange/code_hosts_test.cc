// SPDX-License-Identifier: Apache-2.0
// SARIF, GitHub's annotations and GitLab's Code Quality: what their schemas demand, and where
// findings stand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/report/exchange/findings.h"
#include "perfgate/report/exchange/host_notes.h"
#include "perfgate/report/exchange/sarif_report.h"
#include "tests/perfgate/evidence/schema_validator.h"
#include "tests/perfgate/report/suites/suite_samples.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

// The part of the schema of SARIF 2.1.0 that concerns what is written; that of the standard allows
// more fields.
constexpr const char* kSarifSchema = R"({
  "type": "object", "required": ["version", "runs"], "additionalProperties": false,
  "properties": {
    "$schema": {"type": "string"}, "version": {"enum": ["2.1.0"]},
    "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}}},
  "$defs": {
    "run": {"type": "object", "required": ["tool", "results"], "additionalProperties": false,
      "properties": {
        "tool": {"type": "object", "required": ["driver"], "additionalProperties": false,
          "properties": {"driver": {"$ref": "#/$defs/driver"}}},
        "automationDetails": {"type": "object", "required": ["id"], "additionalProperties": false,
          "properties": {"id": {"type": "string"}}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": {"$ref": "#/$defs/result"}}}},
    "driver": {"type": "object", "required": ["name", "version", "rules"],
      "additionalProperties": false,
      "properties": {"name": {"type": "string"}, "version": {"type": "string"},
        "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}}}},
    "rule": {"type": "object", "required": ["id", "shortDescription"],
      "additionalProperties": false,
      "properties": {"id": {"type": "string"}, "shortDescription": {"$ref": "#/$defs/message"}}},
    "message": {"type": "object", "required": ["text"], "additionalProperties": false,
      "properties": {"text": {"type": "string"}}},
    "result": {"type": "object", "additionalProperties": false,
      "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
      "properties": {
        "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": {"$ref": "#/$defs/message"},
        "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
        "partialFingerprints": {"type": "object", "required": ["perfgateCase/v1"],
          "additionalProperties": false, "properties": {"perfgateCase/v1": {"type": "string"}}}}},
    "location": {"type": "object", "required": ["logicalLocations", "physicalLocation"],
      "additionalProperties": false,
      "properties": {
        "logicalLocations": {"type": "array", "items": {"type": "object",
          "required": ["name", "kind"], "additionalProperties": false,
          "properties": {"name": {"type": "string"}, "kind": {"type": "string"}}}},
        "physicalLocation": {"type": "object", "required": ["artifactLocation", "region"],
          "additionalProperties": false,
          "properties": {
            "artifactLocation": {"type": "object", "required": ["uri"],
              "additionalProperties": false, "properties": {"uri": {"type": "string"}}},
            "region": {"type": "object", "required": ["startLine"], "additionalProperties": false,
              "properties": {"startLine": {"type": "integer", "minimum": 1}}}}}}}}})";

constexpr const char* kQualitySchema = R"({
  "type": "array", "items": {"type": "object", "additionalProperties": false,
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {
      "description": {"type": "string"}, "check_name": {"type": "string"},
      "fingerprint": {"type": "string"},
      "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
      "location": {"type": "object", "required": ["path", "lines"], "additionalProperties": false,
        "properties": {"path": {"type": "string"},
          "lines": {"type": "object", "required": ["begin"], "additionalProperties": false,
            "properties": {"begin": {"type": "integer", "minimum": 1}}}}}}}})";

std::vector<ReportedSuite> Reported() {
  std::vector<ReportedSuite> suites;
  for (const SuiteVerdict& verdict :
       {sample::mixed_verdict(), sample::hostile_verdict(), sample::empty_verdict(),
        sample::identical_verdict(), sample::skipped_verdict()}) {
    suites.push_back({.title = "suite " + std::to_string(suites.size()), .verdict = verdict});
  }
  suites.push_back({.title = "no verdict", .session = sample::session_of_logs({{0.1}})});
  return suites;
}

TEST(SarifReport, FollowsTheSchema) {
  const Json schema = Json::parse(kSarifSchema);
  const sample::Validator validator(schema);
  const Json report = Json::parse(SarifReport(Reported(), {}, "0.1.0"));
  EXPECT_EQ(validator.problem(report), "");
  EXPECT_THAT(report["runs"], SizeIs(5));
  for (const Json& run : report["runs"]) {
    std::set<std::string> fingerprints;
    for (const Json& result : run["results"]) {
      const Json& rules = run["tool"]["driver"]["rules"];
      EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
      fingerprints.insert(result["partialFingerprints"]["perfgateCase/v1"].get<std::string>());
      const std::string uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
      EXPECT_TRUE(std::regex_match(uri, std::regex("([A-Za-z0-9._~/-]|%[0-9A-F]{2})+"))) << uri;
    }
    EXPECT_EQ(fingerprints.size(), run["results"].size());
  }
  EXPECT_EQ(validator.problem(Json::parse(SarifReport({}, {}, ""))), "");
}

TEST(GitlabReport, FollowsTheSchema) {
  const Json schema = Json::parse(kQualitySchema);
  const sample::Validator validator(schema);
  EXPECT_EQ(validator.problem(Json::parse(GitlabReport(Reported(), {}))), "");
  EXPECT_EQ(Json::parse(GitlabReport({}, {})), Json::array());
}

TEST(CodeHosts, TakeWhateverNamesHold) {
  const Json sarif_schema = Json::parse(kSarifSchema);
  const sample::Validator sarif(sarif_schema);
  const Json gitlab_schema = Json::parse(kQualitySchema);
  const sample::Validator gitlab(gitlab_schema);
  sample::Random random(8);
  for (int i = 0; i < 100; ++i) {
    const std::vector<ReportedSuite> one = {
        {.title = "x", .verdict = sample::random_verdict(random)}};
    ASSERT_EQ(sarif.problem(Json::parse(SarifReport(one, {}, "0"))), "");
    ASSERT_EQ(gitlab.problem(Json::parse(GitlabReport(one, {}))), "");
  }
}

// ::error file=F,line=N,title=T::message, each on one line.
TEST(GithubReport, IsOneCommandPerLine) {
  const std::regex command("::(error|warning|notice) (file=[^,:]+,line=[0-9]+,)?title=[^,:]*::.*");
  std::istringstream lines(GithubReport(Reported(), {}));
  std::map<std::string, int> counts;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, command)) << line;
    ASSERT_EQ(line.find('\r'), std::string::npos);
    ++counts[match[1]];
  }
  EXPECT_EQ(counts["error"], static_cast<int>(kMostAnnotations));
  EXPECT_LE(counts["warning"], static_cast<int>(kMostAnnotations));
  EXPECT_LE(counts["notice"], static_cast<int>(kMostAnnotations));
  EXPECT_THAT(GithubReport(Reported(), {}), HasSubstr("more errors; the report has all of them"));
  EXPECT_EQ(GithubReport({}, {}), "");
}

TEST(GithubReport, EscapesWhatCommandsMean) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  verdict.exit = Exit::kRegression;
  verdict.columns = {sample::measured_column("a:b,c%\n::error::x", Verdict::kRegression,
                                             Claim::kStrong, 0.05, 0.01, 10)};
  const std::vector<ReportedSuite> one = {{.title = "s", .verdict = verdict}};
  EXPECT_THAT(GithubReport(one, {{"a:b,c%\n::error::x", {"my src/a,b.cc", 7}}}),
              StartsWith("::error file=my src/a%2Cb.cc,line=7,title=regression%3A "
                         "a%3Ab%2Cc%25\\n%3A%3Aerror%3A%3Ax::a:b,c%25\\n::error::x is 5.00 %25"));
}

TEST(Findings, AreErrorsOnlyWhereTheGateFails) {
  SuiteVerdict verdict = sample::mixed_verdict();
  const std::vector<Finding> findings = FindingsOf("s", verdict, {});
  EXPECT_EQ(std::ranges::count(findings, Severity::kError, &Finding::severity), 5);
  EXPECT_EQ(std::ranges::count(findings, Severity::kWarning, &Finding::severity), 2);
  verdict.exit = Exit::kPass;
  for (const Finding& finding : FindingsOf("s", verdict, {})) {
    EXPECT_NE(finding.severity, Severity::kError);
  }
  const std::vector<Finding> empty = FindingsOf("s", sample::empty_verdict(), {});
  ASSERT_EQ(empty.size(), 1U);
  EXPECT_EQ(empty[0].rule, "suite");
}

TEST(SourceLines, AreThoseThatRegister) {
  const PrivateFolder folder("sources");
  std::filesystem::create_directories(folder.file("src/.hidden"));
  std::filesystem::create_directories(folder.file("src/build-x"));
  std::ofstream(folder.file("src/a.cc"))
      << "void BM_Sort(State&);\n\nBENCHMARK(BM_Sort)->Range(1, 8);\n"
         "  BENCHMARK_TEMPLATE(BM_Hash, int);\n"
         "RegisterBenchmark(\"gemm/m:1\", f);\n";
  std::ofstream(folder.file("src/b.cc")) << "BENCHMARK(BM_Sort);\n";
  std::ofstream(folder.file("src/build-x/c.cc")) << "BENCHMARK(BM_Built);\n";
  std::ofstream(folder.file("src/.hidden/d.cc")) << "BENCHMARK(BM_Hidden);\n";
  std::ofstream(folder.file("src/e.txt")) << "BENCHMARK(BM_Text);\n";
  const SourceLines lines = FindSourceLines(folder.file("src"));
  EXPECT_EQ(lines.size(), 3U);
  EXPECT_EQ(LineOfCase(lines, "BM_Sort/16").line, 3);
  EXPECT_THAT(LineOfCase(lines, "BM_Sort").file, testing::EndsWith("src/a.cc"));
  EXPECT_EQ(LineOfCase(lines, "BM_Hash<int>/8").line, 4);
  EXPECT_EQ(LineOfCase(lines, "gemm/m:1").line, 5);
  EXPECT_EQ(LineOfCase(lines, "other").file, "");
  EXPECT_THROW(FindSourceLines(folder.file("nowhere")), Error);
}

}  // namespace
}  // namespace perfgate::report
