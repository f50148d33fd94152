// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "perfgate/audit/check/claim_checker.h"
#include "perfgate/audit/check/claim_checks.h"
#include "perfgate/audit/check/claim_wording.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/text/join.h"

namespace perfgate::audit {

bool ClaimChecker::check_wins() {
  const int value = counted(claim_.text("value"));
  if (value < 0 || !mentions(claim_.text("metric"), "wins") || !claim_.has("arm")) return false;
  for (std::size_t c = 0; c < table_.columns.size(); ++c) {
    const std::vector<std::string> words = words_of(table_.columns[c].label);
    int rows = 0;
    int won = 0;
    bool second = false;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      second = second || (similar(words[i + 1], lower(claim_.text("arm"))) && i > 0);
    }
    for (const Row& row : table_.rows) {
      const Cell& cell = row.cells[c];
      if (cell.kind != CellKind::kCounts) continue;
      ++rows;
      const double own = second ? cell.losses : cell.wins;
      const double other = second ? cell.wins : cell.losses;
      if (own > other) ++won;
    }
    if (rows == 0) continue;
    if (won != value) {
      flag(Kind::kCount, Severity::kHigh, claim_.text("value") + " wins", std::to_string(won),
           "rows that " + claim_.text("arm") + " wins by " + table_.columns[c].label);
    }
    check_of(rows);
    return true;
  }
  return false;
}

void ClaimChecker::check_of(int rows) {
  const int of = counted(claim_.text("of"));
  if (of < 0 || of == rows) return;
  flag(Kind::kListVsHeading, Severity::kHigh, "of " + claim_.text("of"),
       std::to_string(rows) + " rows", "the claim counts other rows than the table has");
}

bool ClaimChecker::check_faster() {
  const std::string metric = claim_.text("metric");
  const int value = counted(claim_.text("value"));
  const std::vector<std::string> words = words_of(metric);
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const bool less = has("faster") || has("lower") || has("smaller");
  const bool more = has("slower") || has("higher") || has("larger");
  if (value < 0 || less == more) return false;
  std::vector<std::size_t> arms;
  for (const std::size_t column : numeric_columns(table_)) {
    const Naming label = naming(table_.columns[column].label);
    if (!label.ratio && !label.difference && !label.percent) arms.push_back(column);
  }
  if (arms.size() != 2) return false;
  const bool first = mentions_all(metric, table_.columns[arms[0]].label);
  const bool second = mentions_all(metric, table_.columns[arms[1]].label);
  if (first == second) return false;
  // "faster" of a rate is more of it.
  bool smaller_wins = less;
  if (table_.columns[arms[0]].better == Better::kHigher && (has("faster") || has("slower"))) {
    smaller_wins = !smaller_wins;
  }
  int rows = 0;
  int won = 0;
  int clear = 0;
  std::string ties;
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    const Cell& own = table_.cell(row, arms[first ? 0 : 1]);
    const Cell& other = table_.cell(row, arms[first ? 1 : 0]);
    if (own.kind != CellKind::kNumber || other.kind != CellKind::kNumber) continue;
    ++rows;
    const double a = own.number.value * own.number.scale;
    const double b = other.number.value * other.number.scale;
    if (smaller_wins ? a >= b : a <= b) continue;
    ++won;
    const double share = a == 0 ? 1 : std::abs(b / a - 1);
    if (share > kTieShare) {
      ++clear;
    } else {
      AppendItem(ties, row_label(table_, row) + " " + number_text(100 * share, 0.05) + " %");
    }
  }
  if (rows == 0) return false;
  const std::string published = metric + ": " + claim_.text("value");
  if (won != value) {
    flag(Kind::kCount, Severity::kHigh, published,
         std::to_string(won) + " of " + std::to_string(rows), "rows in which it is");
  } else if (clear < won && !has_dispersion(table_)) {
    flag(Kind::kClaimSupport, Severity::kMedium, published,
         std::to_string(clear) + " beyond 5 %; ties: " + ties,
         "no dispersion is published, and differences below 5 % are ties");
  }
  check_of(rows);
  return true;
}

bool ClaimChecker::mentions_all(const std::string& metric, const std::string& label) {
  const std::vector<std::string> words = words_of(label);
  return !words.empty() && named_in({words.begin(), words.end()}, metric);
}

bool ClaimChecker::check_row_count() {
  const int value = counted(claim_.text("value"));
  const std::vector<std::string> words = words_of(claim_.text("metric"));
  if (value < 0 || words.size() != 1 || table_.columns.empty()) return false;
  const std::vector<std::string> label = words_of(table_.columns[0].label);
  if (words[0] != "rows" && (label.empty() || singular(words[0]) != singular(label.back()))) {
    return false;
  }
  const std::size_t rows = table_.rows.size();
  if (static_cast<std::size_t>(value) != rows) {
    flag(Kind::kListVsHeading, Severity::kHigh, words[0] + "=" + claim_.text("value"),
         std::to_string(rows) + " rows", "the claim counts other rows than the table has");
  }
  return true;
}

void ClaimChecker::check_stated_n() {
  const int n = counted(claim_.text("n"));
  const std::optional<int> runs = stated_count(table_, "runs");
  if (n < 0 || !runs || n == *runs) return;
  flag(Kind::kCount, Severity::kMedium, "n=" + claim_.text("n"), "runs=" + std::to_string(*runs),
       "the claim rests on another number of runs than the table states");
}

}  // namespace perfgate::audit
