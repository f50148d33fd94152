// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/sarif_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perfgate/base/sha256.h"
#include "perfgate/report/exchange/findings.h"
#include "perfgate/report/exchange/uri.h"

namespace perfgate::report {
namespace {

using Json = nlohmann::ordered_json;

const char* LevelOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

Json RulesJson() {
  Json rules = Json::array();
  for (const FindingRule& rule : FindingRules()) {
    rules.push_back({{"id", std::string(rule.id)},
                     {"shortDescription", {{"text", std::string(rule.meaning)}}}});
  }
  return rules;
}

std::size_t RuleIndex(const std::string& id) {
  const auto found = std::ranges::find(FindingRules(), id, &FindingRule::id);
  return static_cast<std::size_t>(found - FindingRules().begin());
}

Json ResultJson(const std::string& suite, const Finding& finding) {
  Json result = {{"ruleId", finding.rule},
                 {"ruleIndex", RuleIndex(finding.rule)},
                 {"level", LevelOf(finding.severity)},
                 {"message", {{"text", finding.message}}}};
  Json location = {
      {"logicalLocations",
       {{{"name", finding.case_name.empty() ? suite : finding.case_name}, {"kind", "function"}}}}};
  const bool placed = !finding.place.file.empty();
  location["physicalLocation"] = {
      {"artifactLocation", {{"uri", RelativeUri(placed ? finding.place.file : suite)}}},
      {"region", {{"startLine", placed ? finding.place.line : 1}}}};
  result["locations"] = Json::array({location});
  result["partialFingerprints"] = {{"perfgateCase/v1", FingerprintOf(suite, finding)}};
  return result;
}

Json RunJson(const ReportedSuite& suite, const SourceLines& sources, const std::string& version) {
  Json results = Json::array();
  for (const Finding& finding : FindingsOf(suite.title, *suite.verdict, sources)) {
    results.push_back(ResultJson(suite.title, finding));
  }
  return {
      {"tool", {{"driver", {{"name", "perfgate"}, {"version", version}, {"rules", RulesJson()}}}}},
      {"automationDetails", {{"id", "perfgate/" + suite.title + "/"}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", results}};
}

}  // namespace

std::string SarifReport(std::span<const ReportedSuite> suites, const SourceLines& sources,
                        const std::string& version) {
  Json runs = Json::array();
  for (const ReportedSuite& suite : suites) {
    if (suite.verdict) runs.push_back(RunJson(suite, sources, version));
  }
  const Json log = {{"$schema",
                     "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                     "sarif-schema-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", runs}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfgate::report
