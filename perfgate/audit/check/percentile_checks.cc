// SPDX-License-Identifier: Apache-2.0
// percentile_checks.cc: percentiles of the same data, in columns or rows, that are out of order.
#include <string>

#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

// "p95" or "p99.9" among a label's words: the percentile, and the label without it.
bool percentile_of(const std::string& label, double& percentile, std::string& rest) {
  rest.clear();
  bool found = false;
  for (const std::string& word : words_of(label)) {
    int value = -1;
    if (word.size() >= 2 && word.size() <= 4 && word.front() == 'p')
      value = counted(word.substr(1));
    if (value >= 0) {
      // "p999" is the 99.9th; "p100" is the maximum.
      percentile = value > 100 ? value / 10.0 : value;
      found = true;
    } else {
      rest += word + " ";
    }
  }
  return found;
}

void flag_order(const Table& table, std::size_t row, std::size_t column, const Cell& lower,
                AuditResult& result) {
  Finding finding = at_cell(table, row, column);
  finding.kind = Kind::kPlausibility;
  finding.severity = Severity::kHigh;
  finding.recomputed = "at least " + lower.text;
  finding.explanation = "a higher percentile of the same data is not smaller";
  result.findings.push_back(std::move(finding));
}

bool smaller(const Cell& a, const Cell& b) {
  return a.kind == CellKind::kNumber && b.kind == CellKind::kNumber && a.number.dimension == "s" &&
         b.number.dimension == "s" && range_of(a.number).hi < range_of(b.number).lo;
}

}  // namespace

void check_percentiles(const Table& table, AuditResult& result) {
  double low = 0;
  double high = 0;
  std::string low_rest;
  std::string high_rest;
  for (std::size_t a = 0; a < table.columns.size(); ++a) {
    if (!percentile_of(table.columns[a].label, low, low_rest)) continue;
    for (std::size_t b = 0; b < table.columns.size(); ++b) {
      if (!percentile_of(table.columns[b].label, high, high_rest) || low >= high ||
          low_rest != high_rest) {
        continue;
      }
      for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (smaller(table.cell(row, b), table.cell(row, a))) {
          flag_order(table, row, b, table.cell(row, a), result);
        }
      }
    }
  }
  if (table.rows.size() > kMostRows) return;
  for (std::size_t a = 0; a < table.rows.size(); ++a) {
    if (!percentile_of(row_label(table, a), low, low_rest)) continue;
    for (std::size_t b = 0; b < table.rows.size(); ++b) {
      if (!percentile_of(row_label(table, b), high, high_rest) || low >= high ||
          low_rest != high_rest) {
        continue;
      }
      for (std::size_t c = 1; c < table.columns.size(); ++c) {
        // Ratios and differences of percentiles are in no order.
        const Naming label = naming(table.columns[c].label);
        const Cell& cell = table.cell(b, c);
        if (label.ratio || label.difference || label.percent || cell.number.unit == "x" ||
            cell.number.signed_plus || cell.number.value < 0) {
          continue;
        }
        if (smaller(cell, table.cell(a, c))) flag_order(table, b, c, table.cell(a, c), result);
      }
    }
  }
}

}  // namespace perfgate::audit
