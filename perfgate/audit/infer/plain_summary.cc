// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/plain_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/infer/infer_rows.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

std::optional<RowOp> operation_of(const std::string& label) {
  const std::string name = slug(label);
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is({"total", "sum"})) return RowOp::kSum;
  if (is({"mean", "average", "avg", "arithmetic_mean"})) return RowOp::kMean;
  if (is({"geomean", "geo_mean", "geometric_mean", "gmean"})) return RowOp::kGeometricMean;
  if (is({"median"})) return RowOp::kMedian;
  if (is({"min", "minimum"})) return RowOp::kMin;
  if (is({"max", "maximum"})) return RowOp::kMax;
  return std::nullopt;
}

// "p99", "stddev", "n": the rows are statistics of samples that are not in the table.
bool is_statistic(const std::string& label) {
  const std::vector<std::string> words = words_of(label);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const bool percentile =
        word.size() >= 2 && word[0] == 'p' &&
        std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
    constexpr const char* kWords[] = {"std", "stdev", "stddev", "sd",  "var",        "variance",
                                      "cv",  "iqr",   "n",      "mad", "percentile", "count"};
    return percentile || std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  });
}

bool summarises(const Naming& label) {
  return label.sum || label.mean || label.whole || label.extreme;
}

// Rates, shares and scores do not add up; a quotient's mean may be the quotient of means.
bool may_tell(const Table& table, std::size_t column, RowOp op) {
  const Naming label = naming(table.columns[column].label);
  const bool quotient = is_ratio_column(table, column) || label.percent;
  if (op == RowOp::kSum || op == RowOp::kMean) return !quotient && !label.difference;
  return true;
}

}  // namespace

std::optional<PlainSummary> plain_summary(const Table& table, std::size_t row, std::size_t column) {
  constexpr std::size_t kFewest = 3;
  const std::optional<RowOp> op = operation_of(row_label(table, row));
  if (!op || table.rows.size() > kMostRows || !may_tell(table, column, *op)) return std::nullopt;
  std::size_t plain = 0;
  for (std::size_t other = 0; other < table.rows.size(); ++other) {
    if (other == row) continue;
    const std::string label = row_label(table, other);
    if (is_statistic(label)) return std::nullopt;
    if (!summarises(naming(label))) ++plain;
  }
  if (plain < kFewest) return std::nullopt;
  const double printed = middle(range_of(table.cell(row, column).number));
  std::optional<PlainSummary> closest;
  for (const std::vector<std::size_t>& rows : summed_rows(table, row)) {
    const RowRelation relation{*op, row, rows};
    if (!units_fit(table, relation, column)) continue;
    const std::optional<Range> allowed = allowed_at(table, relation, column);
    if (!allowed) continue;
    // A "total" between its rows is some mean of them.
    const auto value = [&](std::size_t r) {
      return middle(range_of(table.cell(r, column).number));
    };
    const auto [least, most] =
        std::minmax_element(rows.begin(), rows.end(),
                            [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
    const bool whole = table.cell(row, column).number.integer;
    if (*op == RowOp::kSum && !whole && printed >= value(*least) && printed <= value(*most)) {
      return std::nullopt;
    }
    const bool holds = holds_at(table, relation, column) == true ||
                       (*op == RowOp::kMean && is_weighted_mean(table, relation, column));
    const double off = std::abs(middle(*allowed) - printed);
    if (holds || !closest || off < std::abs(middle(closest->allowed) - printed)) {
      closest = PlainSummary{relation, *allowed, holds};
    }
    if (holds) break;
  }
  return closest;
}

bool follows_from_rows(const Table& table, std::size_t row, std::size_t column) {
  const std::string label = row_label(table, row);
  if (table.rows.size() > kMostRows || !summarises(naming(label))) return false;
  std::vector<RowOp> ops;
  if (naming(label).mean || naming(label).whole) {
    ops = {RowOp::kMean, RowOp::kGeometricMean};
  }
  for (const std::string& word : words_of(label)) {
    if (const std::optional<RowOp> op = operation_of(word)) ops.push_back(*op);
  }
  for (const std::vector<std::size_t>& rows : summed_rows(table, row)) {
    for (const RowOp op : ops) {
      if (op != RowOp::kSum && holds_at(table, {op, row, rows}, column) == true) return true;
    }
  }
  return false;
}

}  // namespace perfgate::audit
