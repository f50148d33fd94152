// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/report/suites/gate_command.h"
#include "perfgate/report/suites/geometric_mean.h"

namespace perfgate::report {
namespace {

using Json = nlohmann::ordered_json;

Json NumberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json CaseJson(const ColumnVerdict& column) {
  const Effect& effect = column.effect;
  return {{"case", column.case_name},
          {"metric", column.metric.name},
          {"unit", column.metric.unit},
          {"kind", std::string(to_string(column.metric.kind))},
          {"verdict", std::string(to_string(column.verdict))},
          {"claim", std::string(to_string(column.claim))},
          {"gated", column.gated},
          {"rounds", column.rounds},
          {"baseline", NumberOrNull(column.baseline)},
          {"candidate", NumberOrNull(column.candidate)},
          {"change", NumberOrNull(effect.estimate)},
          {"lo", NumberOrNull(effect.lo)},
          {"hi", NumberOrNull(effect.hi)},
          {"tolerance", column.tolerance},
          {"p", column.p_adjusted ? Json(*column.p_adjusted) : Json(nullptr)},
          {"reason", column.reason},
          {"sentence", ClaimSentence(column)}};
}

Json MeanJson(const GeometricMean& mean) {
  return {{"metric", mean.metric.name},          {"cases", mean.cases},
          {"left_out", mean.left_out},           {"rounds", mean.rounds},
          {"change", NumberOrNull(mean.effect)}, {"lo", NumberOrNull(mean.lo)},
          {"hi", NumberOrNull(mean.hi)},         {"sentence", GeometricMeanText(mean)},
          {"method", GeometricMeanMethod(mean)}};
}

Json SuiteJson(const ReportedSuite& suite) {
  Json json = {{"title", suite.title},
               {"session_id", ""},
               {"exit", nullptr},
               {"exit_meaning", ""},
               {"summary", ""},
               {"command", ""},
               {"geometric_means", Json::array()},
               {"cases", Json::array()}};
  if (suite.session) json["session_id"] = suite.session->id;
  if (!suite.verdict) return json;
  const SuiteVerdict& verdict = *suite.verdict;
  json["session_id"] = verdict.session_id;
  json["exit"] = static_cast<int>(verdict.exit);
  json["exit_meaning"] = std::string(exit_meaning(verdict.exit));
  json["summary"] = verdict.summary;
  json["command"] = GateCommandOf(verdict);
  for (const GeometricMean& mean : GeometricMeansOf(suite)) {
    json["geometric_means"].push_back(MeanJson(mean));
  }
  for (const ColumnVerdict& column : verdict.columns) json["cases"].push_back(CaseJson(column));
  return json;
}

}  // namespace

std::string JsonReport(std::span<const ReportedSuite> suites) {
  Json json = {
      {"format", "perfgate-report"}, {"version", kReportVersion}, {"suites", Json::array()}};
  for (const ReportedSuite& suite : suites) json["suites"].push_back(SuiteJson(suite));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfgate::report
