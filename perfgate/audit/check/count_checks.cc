// SPDX-License-Identifier: Apache-2.0
// count_checks.cc: numbers of rows, runs and outcomes that a table states, against its cells.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

std::string text_of(double count) { return number_text(count, 0.5); }

// "Mean", "Total": rows over the others, which nobody counts among them.
bool is_summary(const Table& table, std::size_t row) {
  const Naming label = naming(row_label(table, row));
  return label.content.empty() && (label.sum || label.mean || label.whole || label.extreme);
}

// What a column of names counts: its rows, its different names, those less a baseline.
std::set<std::size_t> counts_of(const Table& table, std::size_t column) {
  std::set<std::string> names;
  std::set<std::string> without_baseline;
  std::size_t rows = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& text = table.cell(row, column).text;
    if (text.empty() || is_summary(table, row)) continue;
    ++rows;
    names.insert(text);
    const bool baseline = mentions(text, "baseline") || mentions(text, "base") ||
                          mentions(text, "reference") || mentions(text, "original");
    if (!baseline) without_baseline.insert(text);
  }
  return {table.rows.size(), rows, names.size(), without_baseline.size()};
}

void check_title(const Table& table, AuditResult& result) {
  const std::vector<std::string> words = words_of(table.title);
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const std::vector<std::string> label = words_of(table.columns[column].label);
    const bool of_names = std::none_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
      return row.cells[column].kind == CellKind::kNumber;
    });
    if (label.empty() || (column > 0 && !of_names)) continue;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const int stated = counted(words[i]);
      if (stated < 2 || singular(words[i + 1]) != singular(label.back())) continue;
      const std::set<std::size_t> counts = counts_of(table, column);
      if (counts.contains(static_cast<std::size_t>(stated))) continue;
      Finding finding = at_table(table);
      finding.field = "title";
      if (table.json) finding.pointer = "/title";
      finding.kind = Kind::kListVsHeading;
      finding.severity = Severity::kHigh;
      finding.published = words[i] + " " + words[i + 1];
      finding.recomputed = std::to_string(table.rows.size()) + " rows";
      if (column > 0) finding.recomputed = std::to_string(*counts.begin()) + " different ones";
      finding.explanation = "the title counts other rows than the table has";
      if (column > 0) {
        finding.explanation = "the title counts others than column " + table.columns[column].label;
      }
      result.findings.push_back(std::move(finding));
    }
  }
}

// The n that a row's wins, losses and ties must add up to: as stated, else what the rows agree on.
double expected_total(const Table& table, std::size_t column, std::string& source) {
  std::map<double, int> totals;
  int rows = 0;
  for (const Row& row : table.rows) {
    const Cell& cell = row.cells[column];
    if (cell.kind != CellKind::kCounts) continue;
    ++rows;
    ++totals[cell.wins + cell.losses + cell.ties];
  }
  for (const char* fact : {"runs", "n", "seeds", "rounds"}) {
    const std::optional<int> stated = stated_count(table, fact);
    if (!stated) continue;
    // Wins may be counted over something else, such as tasks: then hardly a row has the stated n.
    const auto matching = totals.find(*stated);
    const bool most = matching != totals.end() && 2 * matching->second >= rows;
    if (!most && (rows != 1 || totals.begin()->first >= 2.0 * *stated)) continue;
    source = std::string(fact) + " = " + std::to_string(*stated);
    return *stated;
  }
  for (const auto& [total, count] : totals) {
    if (count >= 3 && count + 1 >= rows) {
      source = "the other rows have " + text_of(total);
      return total;
    }
  }
  return -1;
}

void check_counts(const Table& table, AuditResult& result) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string source;
    const double expected = expected_total(table, c, source);
    if (expected < 0) continue;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const Cell& cell = table.cell(row, c);
      if (cell.kind != CellKind::kCounts) continue;
      const double total = cell.wins + cell.losses + cell.ties;
      if (total == expected) continue;
      Finding finding = at_cell(table, row, c);
      finding.kind = Kind::kCount;
      finding.severity = Severity::kHigh;
      finding.recomputed = "wins+losses+ties = " + text_of(total);
      finding.explanation = "the three counts add up to another n: " + source;
      result.findings.push_back(std::move(finding));
    }
  }
}

}  // namespace

void check_stated_counts(const Table& table, AuditResult& result) {
  check_title(table, result);
  check_counts(table, result);
}

void check_stated_runs(const Table& table, AuditResult& result) {
  const std::optional<int> runs = stated_count(table, "runs");
  if (!runs) return;
  const auto check = [&](const std::string& label, Finding finding) {
    const std::vector<std::string> words = words_of(label);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const int before = counted(words[i]);
      const int after = counted(words[i + 1]);
      int stated = -1;
      if (singular(words[i + 1]) == "run" && before > 0) stated = before;
      if (words[i] == "n" && after > 0) stated = after;
      if (stated < 0 || stated == *runs) continue;
      finding.kind = Kind::kCount;
      finding.severity = Severity::kMedium;
      finding.published = label;
      finding.recomputed = "runs = " + std::to_string(*runs);
      finding.explanation = "the same table states another number of runs";
      result.findings.push_back(finding);
    }
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    check(table.columns[c].label, at_column(table, c));
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (!table.columns.empty() && table.cell(row, 0).kind == CellKind::kText) {
      check(row_label(table, row), at_cell(table, row, 0));
    }
  }
}

}  // namespace perfgate::audit
