// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/row_relation.h"

#include <array>
#include <string_view>

namespace perfgate::audit {

std::optional<Range> allowed_at(const Table& table, const RowRelation& relation, std::size_t column,
                                Integers integers) {
  std::vector<Range> operands;
  for (const std::size_t row : relation.of) {
    const Cell& cell = table.cell(row, column);
    // A total leaves out what is absent; a mean over fewer rows would be another mean.
    if (cell.kind == CellKind::kEmpty && relation.op == RowOp::kSum) continue;
    if (cell.kind != CellKind::kNumber) return std::nullopt;
    operands.push_back(operand_range(cell.number, integers));
  }
  if (operands.empty()) return std::nullopt;
  switch (relation.op) {
    case RowOp::kSum:
      return sum_of(operands);
    case RowOp::kMean:
      return mean_of(operands);
    case RowOp::kGeometricMean:
      return geometric_mean_of(operands);
    case RowOp::kMedian:
      return median_of(operands);
    case RowOp::kMin:
      return min_of(operands);
    case RowOp::kMax:
      return max_of(operands);
    case RowOp::kRatio:
      return divided(operands.front(), operands.back());
    case RowOp::kDifference:
      return minus(operands.front(), operands.back());
  }
  return std::nullopt;
}

bool units_fit(const Table& table, const RowRelation& relation, std::size_t column) {
  const std::string* dimension = nullptr;
  for (const std::size_t row : relation.of) {
    const Cell& cell = table.cell(row, column);
    if (cell.kind == CellKind::kEmpty) continue;
    if (cell.kind != CellKind::kNumber) return false;
    if (dimension != nullptr && *dimension != cell.number.dimension) return false;
    dimension = &cell.number.dimension;
  }
  const Cell& out = table.cell(relation.out, column);
  if (dimension == nullptr || out.kind != CellKind::kNumber) return false;
  return relation.op == RowOp::kRatio ? out.number.dimension.empty()
                                      : out.number.dimension == *dimension;
}

std::optional<bool> holds_at(const Table& table, const RowRelation& relation, std::size_t column,
                             Integers integers) {
  const Cell& out = table.cell(relation.out, column);
  if (out.kind != CellKind::kNumber || !units_fit(table, relation, column)) return std::nullopt;
  const std::optional<Range> allowed = allowed_at(table, relation, column, integers);
  if (!allowed) return std::nullopt;
  return touch(*allowed, operand_range(out.number, integers));
}

bool is_weighted_mean(const Table& table, const RowRelation& relation, std::size_t column) {
  const Range printed = range_of(table.cell(relation.out, column).number);
  for (std::size_t other = 0; other < table.columns.size(); ++other) {
    if (other == column) continue;
    Range sum;
    double weights = 0;
    for (const std::size_t row : relation.of) {
      const Cell& weight = table.cell(row, other);
      if (weight.kind != CellKind::kNumber || weight.number.value < 0) {
        weights = 0;
        break;
      }
      sum = plus(sum, scaled(range_of(table.cell(row, column).number), weight.number.value));
      weights += weight.number.value;
    }
    if (weights > 0 && touch(printed, scaled(sum, 1 / weights))) return true;
  }
  return false;
}

std::string formula(const Table& table, const RowRelation& relation) {
  constexpr std::array<std::string_view, 8> kNames = {
      "sum", "mean", "geometric mean", "median", "minimum", "maximum", " / ", " - "};
  const std::string name(kNames.at(static_cast<std::size_t>(relation.op)));
  const std::string out = row_label(table, relation.out) + " = ";
  if (relation.op == RowOp::kRatio || relation.op == RowOp::kDifference) {
    return out + row_label(table, relation.of.front()) + name +
           row_label(table, relation.of.back());
  }
  return out + name + " of " + std::to_string(relation.of.size()) + " rows";
}

}  // namespace perfgate::audit
