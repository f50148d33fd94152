// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

// The column that the intervals of `column` are about: the nearest one to the left that shares a
// word with it, else its left neighbour.
std::optional<std::size_t> estimate_column(const Table& table, std::size_t column) {
  const auto numbers = [&](std::size_t c) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const Row& row) { return row.cells[c].kind == CellKind::kNumber; });
  };
  const std::vector<std::string> own = words_of(table.columns[column].label);
  for (std::size_t c = column; c-- > 0;) {
    const std::vector<std::string> words = words_of(table.columns[c].label);
    const bool shared = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return std::find(own.begin(), own.end(), word) != own.end();
    });
    if (shared && numbers(c)) return c;
  }
  if (column > 0 && numbers(column - 1)) return column - 1;
  return std::nullopt;
}

bool confidence(const Table& table, std::size_t column) {
  const std::vector<std::string> words = words_of(table.columns[column].label);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("ci") || word == "confidence" || word == "95" || word == "interval";
  });
}

// A cell that concludes something: "win" below "Verdict", and not the metric "win rate".
bool is_verdict(const Table& table, std::size_t column, const Cell& cell) {
  constexpr std::array<std::string_view, 11> kLabels = {
      "verdict", "outcome",  "result", "conclusion", "class",       "claim",
      "status",  "strength", "grade",  "decision",   "significance"};
  if (!claims_effect(cell.text)) return false;
  const std::vector<std::string> words = words_of(cell.text);
  if (words.size() == 1) return true;
  const std::vector<std::string> label = words_of(table.columns[column].label);
  return std::any_of(label.begin(), label.end(), [&](const std::string& word) {
    return std::find(kLabels.begin(), kLabels.end(), singular(word)) != kLabels.end() ||
           std::find(kLabels.begin(), kLabels.end(), word) != kLabels.end();
  });
}

Finding ci_finding(const Table& table, std::size_t row, std::size_t column, Severity severity,
                   std::string recomputed, std::string explanation) {
  Finding finding = at_cell(table, row, column);
  finding.kind = Kind::kCi;
  finding.severity = severity;
  finding.recomputed = std::move(recomputed);
  finding.explanation = std::move(explanation);
  return finding;
}

// n where the table states it, for its intervals.
std::optional<int> sample_size(const Table& table) {
  for (const char* fact : {"runs", "n"}) {
    if (const std::optional<int> stated = stated_count(table, fact)) return stated;
  }
  for (const Claim& claim : table.claims) {
    const int stated = counted(claim.text("n"));
    if (stated > 0) return stated;
  }
  return std::nullopt;
}

void check_three(const Table& table, std::size_t row, std::size_t column, const Cell& estimate,
                 AuditResult& result) {
  const Cell& cell = table.cell(row, column);
  const double rounding = 2 * estimate.number.half_unit + cell.low.half_unit + cell.high.half_unit;
  const double mean = estimate.number.value;
  const double asymmetry = std::abs(2 * mean - cell.low.value - cell.high.value);
  if (asymmetry <= rounding * (1 + 1e-9)) return;
  const OfThree three = t_interval_of_three(mean, cell.low.value, cell.high.value);
  const double slack = 3 * estimate.number.half_unit + rounding;
  if (three.third < cell.low.value - slack || three.third > cell.high.value + slack) return;
  const std::string t = "t-interval [" + number_text(three.low, cell.low.half_unit) + ", " +
                        number_text(three.high, cell.high.half_unit) + "]";
  result.findings.push_back(ci_finding(table, row, column, Severity::kMedium,
                                       "min..max of 3 runs; " + t,
                                       "not symmetric about the mean, and it fits the extremes of "
                                       "three runs: resampling three values "
                                       "gives their range, which covers far less than 95 %"));
}

}  // namespace

OfThree t_interval_of_three(double mean, double low, double high) {
  constexpr double kT = 4.302652729749464;  // 97.5 % point, 2 degrees of freedom
  OfThree three;
  three.third = 3 * mean - low - high;
  const double squares = (low - mean) * (low - mean) + (high - mean) * (high - mean) +
                         (three.third - mean) * (three.third - mean);
  const double half = kT * std::sqrt(squares / 2) / std::sqrt(3.0);
  three.low = mean - half;
  three.high = mean + half;
  return three;
}

bool claims_effect(std::string_view text) {
  constexpr std::array<std::string_view, 17> kWords = {
      "win",       "wins",       "faster",      "slower",   "improvement",  "improved",
      "improves",  "regression", "regressed",   "better",   "worse",        "significant",
      "confirmed", "strong",     "directional", "strongly", "significantly"};
  const std::vector<std::string> words = words_of(text);
  bool found = false;
  for (const std::string& word : words) {
    if (word == "no" || word == "not" || word == "non" || word == "insignificant") return false;
    found = found || std::find(kWords.begin(), kWords.end(), word) != kWords.end();
  }
  return found;
}

double no_effect(const Table& table, std::size_t column) {
  const std::optional<std::size_t> estimates = estimate_column(table, column);
  const bool ratio =
      is_ratio_column(table, column) || (estimates && is_ratio_column(table, *estimates));
  return ratio ? 1 : 0;
}

void check_intervals(const Table& table, AuditResult& result) {
  const std::optional<int> n = sample_size(table);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::optional<std::size_t> estimates = estimate_column(table, c);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const Cell& cell = table.cell(row, c);
      if (cell.kind != CellKind::kInterval && !cell.has_interval) continue;
      if (cell.low.value > cell.high.value) {
        result.findings.push_back(ci_finding(table, row, c, Severity::kHigh, "ends exchanged",
                                             "the lower end is above the upper one"));
        continue;
      }
      for (std::size_t text = 1; text < table.columns.size(); ++text) {
        const Cell& word = table.cell(row, text);
        const double none = no_effect(table, c);
        if (word.kind == CellKind::kText && is_verdict(table, text, word) &&
            cell.low.value <= none && cell.high.value >= none) {
          result.findings.push_back(ci_finding(
              table, row, c, Severity::kHigh, "interval includes " + number_text(none, 0.5),
              "\"" + word.text + "\" is not supported by an interval with no effect in it"));
        }
      }
      if (!cell.has_interval &&
          (!estimates || table.cell(row, *estimates).kind != CellKind::kNumber)) {
        continue;
      }
      const Cell& estimate = cell.has_interval ? cell : table.cell(row, *estimates);
      const double unit = cell.low.unit.empty() ? 1 : cell.low.scale / estimate.number.scale;
      const Range interval{(cell.low.value - cell.low.half_unit) * unit,
                           (cell.high.value + cell.high.half_unit) * unit};
      const Range own{estimate.number.value - estimate.number.half_unit,
                      estimate.number.value + estimate.number.half_unit};
      if (!touch(interval, own)) {
        result.findings.push_back(ci_finding(table, row, c, Severity::kHigh,
                                             "estimate " + estimate.text + " outside",
                                             "the interval does not hold its own estimate"));
      } else if (n == 3 && unit == 1 && confidence(table, c)) {
        check_three(table, row, c, estimate, result);
      }
    }
  }
}

}  // namespace perfgate::audit
