// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

void check_headers(const Table& table, AuditResult& result) {
  if (table.json) return;  // columns of JSON have keys
  std::set<std::string> seen;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& label = table.columns[c].label;
    if (words_of(label).empty() || seen.insert(label).second) continue;
    result.findings.push_back(found(at_column(table, c), Kind::kMetadata, Severity::kLow,
                                    "header printed twice", "header names must be unique",
                                    "two columns are called \"" + label + "\""));
  }
}

// Columns whose cells name rows rather than measure something.
std::vector<std::size_t> naming_columns(const Table& table) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool names = std::all_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
      const Cell& cell = row.cells[c];
      return cell.kind == CellKind::kText || cell.kind == CellKind::kEmpty ||
             (cell.kind == CellKind::kNumber && cell.number.integer && cell.number.unit.empty());
    });
    if (names) columns.push_back(c);
  }
  return columns;
}

void check_repeated_rows(const Table& table, AuditResult& result) {
  const std::vector<std::size_t> keys = naming_columns(table);
  if (std::none_of(keys.begin(), keys.end(),
                   [&](std::size_t column) { return is_key_column(table, column); })) {
    return;
  }
  std::map<std::vector<std::string>, std::size_t> first;
  std::vector<std::pair<std::size_t, std::size_t>> repeated;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<std::string> key;
    bool ditto = false;  // an empty cell stands for the one above it
    for (const std::size_t column : keys) {
      key.push_back(table.cell(row, column).text);
      ditto = ditto || table.cell(row, column).kind == CellKind::kEmpty;
    }
    if (ditto) continue;
    const auto [found, fresh] = first.emplace(key, row);
    if (!fresh) repeated.emplace_back(found->second, row);
  }
  // A log of repetitions names most of its rows alike, and on purpose.
  if (repeated.empty() || repeated.size() * 4 > table.rows.size()) return;
  for (const auto& [original, row] : repeated) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.cell(original, c).text == table.cell(row, c).text) continue;
      Finding finding = at_cell(table, row, c);
      finding.kind = Kind::kDataConflict;
      finding.severity = Severity::kHigh;
      finding.recomputed = table.cell(original, c).text;
      finding.explanation = "\"" + row_label(table, row) + "\" also stands in row " +
                            std::to_string(original + 1) + ", with another value";
      result.findings.push_back(std::move(finding));
    }
  }
}

void check_infinite(const Table& table, AuditResult& result) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!is_ratio_column(table, c)) continue;  // a request rate may well be infinite
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      if (table.cell(row, c).kind != CellKind::kInfinite) continue;
      Finding finding = at_cell(table, row, c);
      finding.kind = Kind::kDirection;
      finding.severity = Severity::kLow;
      finding.recomputed = "undefined";
      finding.explanation = "a ratio over zero compares nothing; state the two values";
      result.findings.push_back(std::move(finding));
    }
  }
}

// "+-5.1 ms" among numbers: a slip of the pen that hides the cell from every check.
void check_malformed(const Table& table, AuditResult& result) {
  for (const std::size_t c : numeric_columns(table)) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const Cell& cell = table.cell(row, c);
      if (cell.kind != CellKind::kText) continue;
      const std::size_t begin = cell.text.find_first_not_of("+-");
      const bool number =
          begin != std::string::npos && cell.text[begin] >= '0' && cell.text[begin] <= '9';
      if (!number || begin < 2) continue;
      Finding finding = at_cell(table, row, c);
      finding.kind = Kind::kMetadata;
      finding.severity = Severity::kMedium;
      finding.recomputed = "no number";
      finding.explanation = "cannot be read, in a column of numbers";
      result.findings.push_back(std::move(finding));
    }
  }
}

// A column of shares that misses 100 % by more than its rounding, but not by enough to be no
// partition at all.
void check_column_shares(const Table& table, AuditResult& result) {
  constexpr double kNear = 5;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::vector<std::string> words = words_of(table.columns[c].label);
    if (std::find(words.begin(), words.end(), "share") == words.end()) continue;
    std::vector<Range> shares;
    std::size_t last = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const Cell& cell = table.cell(row, c);
      const Naming label = naming(row_label(table, row));
      if (cell.kind != CellKind::kNumber || cell.number.unit != "%" || label.sum || label.whole) {
        continue;
      }
      shares.push_back(range_of(cell.number));
      last = row;
    }
    const Range total = sum_of(shares);
    if (shares.size() < 3 || touch(total, {100, 100}) || std::abs(middle(total) - 100) > kNear) {
      continue;
    }
    result.findings.push_back(found(at_column(table, c), Kind::kTotal, Severity::kHigh,
                                    "shares of one whole",
                                    range_text(total, table.cell(last, c).number) + " %",
                                    "the shares do not add up to 100 % within their rounding"));
  }
}

}  // namespace

void check_structure(const Table& table, AuditResult& result) {
  check_headers(table, result);
  check_repeated_rows(table, result);
  check_stated_counts(table, result);
  check_infinite(table, result);
  check_malformed(table, result);
  check_percentiles(table, result);
  check_column_shares(table, result);
  check_stated_runs(table, result);
}

}  // namespace perfgate::audit
