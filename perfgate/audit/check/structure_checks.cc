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

std::string text_of(double count) { return number_text(count, 0.5); }

void check_headers(const Table& table, AuditResult& result) {
  if (table.json) return;  // columns of JSON have keys
  std::set<std::string> seen;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& label = table.columns[c].label;
    if (words_of(label).empty() || seen.insert(label).second) continue;
    Finding finding = at_column(table, c);
    finding.kind = Kind::kMetadata;
    finding.severity = Severity::kLow;
    finding.published = "header printed twice";
    finding.recomputed = "header names must be unique";
    finding.explanation = "two columns are called \"" + label + "\"";
    result.findings.push_back(std::move(finding));
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

// A column of shares that misses 100 % by more than its rounding, but not by enough to be no
// partition at all.
void check_shares(const Table& table, AuditResult& result) {
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
    Finding finding = at_column(table, c);
    finding.kind = Kind::kTotal;
    finding.severity = Severity::kHigh;
    finding.published = "shares of one whole";
    finding.recomputed = range_text(total, table.cell(last, c).number) + " %";
    finding.explanation = "the shares do not add up to 100 % within their rounding";
    result.findings.push_back(std::move(finding));
  }
}

// "(3-run)" and "n=3" in labels against the table's own number of runs.
void check_stated_n(const Table& table, AuditResult& result) {
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

}  // namespace

void check_structure(const Table& table, AuditResult& result) {
  check_headers(table, result);
  check_repeated_rows(table, result);
  check_title(table, result);
  check_counts(table, result);
  check_infinite(table, result);
  check_malformed(table, result);
  check_percentiles(table, result);
  check_shares(table, result);
  check_stated_n(table, result);
}

}  // namespace perfgate::audit
