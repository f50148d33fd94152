// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/csv_report.h"

#include <cmath>

#include "perfgate/base/text/format_number.h"
#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/report/text/csv.h"

namespace perfgate::report {
namespace {

const std::vector<std::string> kNames = {
    "suite",     "case",     "metric",     "unit",        "kind",      "better",
    "verdict",   "claim",    "gated",      "rounds",      "baseline",  "candidate",
    "change",    "lo",       "hi",         "min",         "max",       "min_max_confidence",
    "tolerance", "p",        "noise_sd",   "link_change", "layout_sd", "reason",
    "code",      "sentence", "session_id", "exit"};

std::string NumberCell(double value) { return std::isfinite(value) ? format_number(value) : ""; }

std::vector<std::string> LineOf(const ReportedSuite& suite, const ColumnVerdict& column) {
  const Effect& effect = column.effect;
  return {suite.title,
          column.case_name,
          column.metric.name,
          column.metric.unit,
          std::string(to_string(column.metric.kind)),
          std::string(to_string(column.metric.direction)),
          std::string(to_string(column.verdict)),
          std::string(to_string(column.claim)),
          column.gated ? "true" : "false",
          std::to_string(column.rounds),
          NumberCell(column.baseline),
          NumberCell(column.candidate),
          NumberCell(effect.estimate),
          NumberCell(effect.lo),
          NumberCell(effect.hi),
          NumberCell(effect.range_lo),
          NumberCell(effect.range_hi),
          effect.range_confidence > 0 ? NumberCell(effect.range_confidence) : "",
          NumberCell(column.tolerance),
          column.p_adjusted ? NumberCell(*column.p_adjusted) : "",
          NumberCell(column.noise_sd),
          NumberCell(column.link_effect.estimate),
          NumberCell(column.layout_sd),
          column.reason,
          column.hot_code,
          ClaimSentence(column),
          suite.verdict->session_id,
          std::to_string(static_cast<int>(suite.verdict->exit))};
}

}  // namespace

std::string CsvReport(std::span<const ReportedSuite> suites) {
  std::string text = CsvLine(kNames);
  for (const ReportedSuite& suite : suites) {
    if (!suite.verdict) continue;
    for (const ColumnVerdict& column : suite.verdict->columns)
      text += CsvLine(LineOf(suite, column));
  }
  return text;
}

}  // namespace perfgate::report
