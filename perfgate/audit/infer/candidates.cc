// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/candidates.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

constexpr std::size_t kMostTriples = 12;
constexpr std::size_t kMostReferenceRows = 40;

bool any_number(const Table& table, std::size_t column, auto matches) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return row.cells[column].kind == CellKind::kNumber && matches(row.cells[column].number);
  });
}

bool percent_column(const Table& table, std::size_t column) {
  return naming(table.columns[column].label).percent ||
         any_number(table, column, [](const PrintedNumber& n) { return n.unit == "%"; });
}

// Sums and means: neighbours in a run, all others, pairs, and triples of narrow tables.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<std::size_t>& operands) {
  std::vector<std::vector<std::size_t>> groups;
  const std::size_t count = operands.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      groups.push_back({operands[i], operands[j]});
      if (count > kMostTriples) continue;
      for (std::size_t k = j + 1; k < count; ++k) {
        groups.push_back({operands[i], operands[j], operands[k]});
      }
    }
  }
  const auto at = [&](std::size_t i) { return operands.begin() + static_cast<std::ptrdiff_t>(i); };
  for (std::size_t begin = 0; begin < count; ++begin) {
    for (std::size_t end = begin + 3; end <= count; ++end) {
      if (end - begin == 3 && count <= kMostTriples) continue;
      groups.emplace_back(at(begin), at(end));
    }
  }
  return groups;
}

}  // namespace

bool is_ratio_column(const Table& table, std::size_t column) {
  return naming(table.columns[column].label).ratio ||
         any_number(table, column, [](const PrintedNumber& n) { return n.unit == "x"; });
}

std::vector<std::size_t> numeric_columns(const Table& table, std::size_t most) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size() && columns.size() < most; ++c) {
    if (any_number(table, c, [](const PrintedNumber&) { return true; })) columns.push_back(c);
  }
  return columns;
}

std::vector<Relation> candidates_for(const Table& table, std::size_t out,
                                     const std::vector<std::size_t>& operands, bool copies) {
  const bool percent = percent_column(table, out);
  const Naming label = naming(table.columns[out].label);
  std::vector<Relation> result;
  if (copies) {
    for (const std::size_t column : operands) result.push_back({Op::kSum, out, {column}, 0});
  }
  // The sum of ratios or percentages is no total.
  std::vector<std::size_t> summands;
  for (const std::size_t column : operands) {
    if (is_ratio_column(table, column) == is_ratio_column(table, out)) summands.push_back(column);
  }
  for (const std::vector<std::size_t>& group : groups_of(summands)) {
    if (!is_ratio_column(table, out)) result.push_back({Op::kSum, out, group, 0});
    result.push_back({Op::kMean, out, group, 0});
  }
  for (const std::size_t a : operands) {
    for (const std::size_t b : operands) {
      if (a == b) continue;
      result.push_back({Op::kRatio, out, {a, b}, 0});
      if (!is_ratio_column(table, out) || label.difference) {
        result.push_back({Op::kDifference, out, {a, b}, 0});
      }
      if (a < b) result.push_back({Op::kProduct, out, {a, b}, 0});
      if (percent) {
        result.push_back({Op::kPercentOf, out, {a, b}, 0});
        result.push_back({Op::kPercentChange, out, {a, b}, 0});
        result.push_back({Op::kPercentSaved, out, {a, b}, 0});
      }
    }
  }
  for (const std::size_t column : operands) {
    if (table.rows.size() < 2) break;
    for (std::size_t row = 0; row < std::min(table.rows.size(), kMostReferenceRows); ++row) {
      if (table.cell(row, column).kind != CellKind::kNumber) continue;
      for (const Op op : {Op::kRatioToRow, Op::kRowToRatio}) {
        result.push_back({op, out, {column}, row});
      }
      if (!is_ratio_column(table, out) || label.difference) {
        result.push_back({Op::kDifferenceToRow, out, {column}, row});
      }
      if (!percent) continue;
      for (const Op op : {Op::kPercentOfRow, Op::kPercentChangeToRow, Op::kPercentSavedToRow}) {
        result.push_back({op, out, {column}, row});
      }
    }
    if (percent) result.push_back({Op::kPercentOfColumn, out, {column}, 0});
  }
  return result;
}

Named named_by_label(const Table& table, const Relation& relation) {
  const Naming label = naming(table.columns[relation.out].label);
  const auto own = [&](auto matches) { return any_number(table, relation.out, matches); };
  const bool sign = own([](const PrintedNumber& n) { return n.signed_plus; });
  bool operation = false;
  switch (relation.op) {
    case Op::kSum:
      operation = relation.args.size() > 1 && (label.sum || label.whole);
      break;
    case Op::kMean:
      operation = label.mean || label.whole;
      break;
    case Op::kProduct:
      operation = label.sum && !label.ratio;
      break;
    case Op::kDifference:
    case Op::kDifferenceToRow:
      operation = label.difference || sign;
      break;
    case Op::kRatio:
    case Op::kRatioToRow:
    case Op::kRowToRatio:
      operation = is_ratio_column(table, relation.out);
      break;
    default:
      operation = percent_column(table, relation.out);
      break;
  }
  if (!operation) return Named::kNot;
  if (label.content.empty()) return Named::kOperation;
  std::string names;
  for (const std::size_t column : relation.args) names += table.columns[column].label + " ";
  if (refers_to_row(relation.op)) names += row_label(table, relation.row);
  return named_in(label.content, names) ? Named::kOperands : Named::kOperation;
}

bool is_small_count(const Cell& cell) {
  return cell.kind == CellKind::kNumber && cell.number.integer && cell.number.unit.empty() &&
         std::abs(cell.number.value) < 10;
}

bool is_count_label(const std::string& label) {
  constexpr std::array<std::string_view, 22> kCounts = {
      "count",  "n",    "win",     "loss",  "tie",    "pass",    "passed", "fail",
      "failed", "task", "item",    "case",  "check",  "checked", "commit", "error",
      "run",    "test", "skipped", "total", "number", "losse"};
  const std::vector<std::string> words = words_of(label);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(kCounts.begin(), kCounts.end(), singular(word)) != kCounts.end();
  });
}

}  // namespace perfgate::audit
