// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

enum class Outcome { kNone, kWin, kMatch, kLoss };

Outcome outcome_of(const Cell& cell) {
  const std::string word = lower(cell.text);
  for (const std::string_view win : {"win", "faster", "improvement", "improved", "better"}) {
    if (word == win) return Outcome::kWin;
  }
  for (const std::string_view match : {"match", "tie", "same", "no_regression", "neutral"}) {
    if (word == match) return Outcome::kMatch;
  }
  for (const std::string_view loss : {"loss", "slower", "regression", "regressed", "worse"}) {
    if (word == loss) return Outcome::kLoss;
  }
  return Outcome::kNone;
}

struct Labelled {
  std::size_t row = 0;
  double delta = 0;
  double half = 0;
  Outcome outcome = Outcome::kNone;
};

// Labels by a threshold are in the order of the deltas: every win above every match, every match
// above every loss, or all the other way round.
bool in_order(const Labelled& a, const Labelled& b, double sign) {
  const auto rank = [](Outcome outcome) {
    return outcome == Outcome::kWin ? 1 : outcome == Outcome::kLoss ? -1 : 0;
  };
  const double higher = sign * (a.delta - b.delta);
  const int by_label = rank(a.outcome) - rank(b.outcome);
  return by_label == 0 || std::abs(a.delta - b.delta) <= a.half + b.half || by_label * higher > 0;
}

std::vector<std::size_t> disorder(const std::vector<Labelled>& rows, double sign) {
  std::vector<std::size_t> counts(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (in_order(rows[i], rows[j], sign)) continue;
      ++counts[i];
      ++counts[j];
    }
  }
  return counts;
}

std::size_t total(const std::vector<std::size_t>& counts) {
  std::size_t sum = 0;
  for (const std::size_t count : counts) sum += count;
  return sum;
}

void check_column(const Table& table, std::size_t words, std::size_t deltas, AuditResult& result) {
  std::vector<Labelled> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Cell& cell = table.cell(row, deltas);
    const Outcome outcome = outcome_of(table.cell(row, words));
    if (outcome == Outcome::kNone || cell.kind != CellKind::kNumber) continue;
    rows.push_back({row, cell.number.value, cell.number.half_unit, outcome});
  }
  if (rows.size() < 4 || rows.size() > kMostRows) return;
  std::vector<std::size_t> counts = disorder(rows, 1);
  const std::vector<std::size_t> turned = disorder(rows, -1);
  double sign = 1;
  if (total(turned) < total(counts)) {
    counts = turned;
    sign = -1;
  }
  // Take out the row that most others contradict until the rest is in order; a column that needs
  // many of these was not labelled by these deltas.
  std::vector<Labelled> wrong;
  while (total(counts) > 0 && wrong.size() <= rows.size() / 4) {
    const auto worst = std::max_element(counts.begin(), counts.end());
    const auto at = worst - counts.begin();
    wrong.push_back(rows[static_cast<std::size_t>(at)]);
    rows.erase(rows.begin() + at);
    counts = disorder(rows, sign);
  }
  if (total(counts) > 0 || wrong.size() * 3 > rows.size()) return;
  for (const Labelled& one : wrong) {
    Finding finding = at_cell(table, one.row, words);
    finding.kind = Kind::kClassification;
    finding.severity = Severity::kHigh;
    finding.recomputed = table.columns[deltas].label + " " + table.cell(one.row, deltas).text;
    finding.explanation =
        "no threshold on the deltas gives this outcome and those of the other rows";
    result.findings.push_back(std::move(finding));
  }
}

// A cell that names one of two columns as the better one.
void check_winner(const Table& table, std::size_t winners, AuditResult& result) {
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Cell& cell = table.cell(row, winners);
    if (cell.kind != CellKind::kText) continue;
    std::vector<std::size_t> arms;
    for (const std::size_t column : numeric_columns(table)) {
      if (table.columns[column].better != Better::kUnknown &&
          table.cell(row, column).kind == CellKind::kNumber) {
        arms.push_back(column);
      }
    }
    if (arms.size() != 2) continue;
    const bool first = slug(table.columns[arms[0]].label) == slug(cell.text);
    const bool second = slug(table.columns[arms[1]].label) == slug(cell.text);
    if (first == second || table.columns[arms[0]].better != table.columns[arms[1]].better) continue;
    const Range a = range_of(table.cell(row, arms[first ? 0 : 1]).number);
    const Range b = range_of(table.cell(row, arms[first ? 1 : 0]).number);
    const bool lower_better = table.columns[arms[0]].better == Better::kLower;
    if (lower_better ? a.lo <= b.hi : a.hi >= b.lo) continue;
    Finding finding = at_cell(table, row, winners);
    finding.kind = Kind::kDirection;
    finding.severity = Severity::kHigh;
    finding.recomputed = table.columns[arms[first ? 1 : 0]].label;
    finding.explanation = "the other arm is better by this row's own numbers";
    result.findings.push_back(std::move(finding));
  }
}

}  // namespace

void check_outcomes(const Table& table, AuditResult& result) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!is_key_column(table, c)) continue;
    const std::vector<std::string> words = words_of(table.columns[c].label);
    if (std::find(words.begin(), words.end(), "winner") != words.end() ||
        std::find(words.begin(), words.end(), "best") != words.end()) {
      check_winner(table, c, result);
    }
    for (const std::size_t deltas : numeric_columns(table)) {
      const Naming label = naming(table.columns[deltas].label);
      if (label.difference || label.percent) {
        check_column(table, c, deltas, result);
        break;
      }
    }
  }
}

}  // namespace perfgate::audit
