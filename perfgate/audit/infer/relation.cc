// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/relation.h"

#include <algorithm>

#include "perfgate/base/text/join.h"

namespace perfgate::audit {
namespace {

constexpr double kWholeInPercent = 100;

bool is_number(const Cell& cell) { return cell.kind == CellKind::kNumber; }

std::optional<Range> percent(std::optional<Range> quotient, double sign, double offset) {
  if (!quotient) return std::nullopt;
  return scaled({quotient->lo + offset, quotient->hi + offset}, sign * kWholeInPercent);
}

// One operand against another, for the operations of two.
std::optional<Range> of_two(Op op, Range a, Range b) {
  switch (op) {
    case Op::kDifference:
    case Op::kDifferenceToRow:
      return minus(a, b);
    case Op::kRatio:
    case Op::kRatioToRow:
      return divided(a, b);
    case Op::kRowToRatio:
      return divided(b, a);
    case Op::kProduct:
      return times(a, b);
    case Op::kPercentOf:
    case Op::kPercentOfRow:
      return percent(divided(a, b), 1, 0);
    case Op::kPercentChange:
    case Op::kPercentChangeToRow:
      return percent(divided(a, b), 1, -1);
    case Op::kPercentSaved:
    case Op::kPercentSavedToRow:
      return percent(divided(a, b), -1, -1);
    default:
      return std::nullopt;
  }
}

std::optional<Range> of_columns(const Table& table, const Relation& relation, std::size_t row,
                                Integers integers) {
  std::vector<Range> operands;
  for (const std::size_t column : relation.args) {
    const Cell& cell = table.cell(row, column);
    if (!is_number(cell)) return std::nullopt;
    operands.push_back(operand_range(cell.number, integers));
  }
  if (relation.op == Op::kSum) return sum_of(operands);
  if (relation.op == Op::kMean) return mean_of(operands);
  return of_two(relation.op, operands[0], operands[1]);
}

std::optional<Range> of_column(const Table& table, const Relation& relation, std::size_t row,
                               Integers integers) {
  const std::size_t column = relation.args[0];
  const Cell& own = table.cell(row, column);
  if (!is_number(own)) return std::nullopt;
  if (relation.op == Op::kPercentOfColumn) {
    std::vector<Range> all;
    for (const Row& other : table.rows) {
      if (is_number(other.cells[column])) {
        all.push_back(operand_range(other.cells[column].number, integers));
      }
    }
    return percent(divided(operand_range(own.number, integers), sum_of(all)), 1, 0);
  }
  const Cell& reference = table.cell(relation.row, column);
  if (!is_number(reference)) return std::nullopt;
  if (row == relation.row) {
    // A row against itself is exact, however it was rounded.
    switch (relation.op) {
      case Op::kRatioToRow:
      case Op::kRowToRatio:
        return Range{1, 1};
      case Op::kPercentOfRow:
        return Range{kWholeInPercent, kWholeInPercent};
      default:
        return Range{0, 0};
    }
  }
  return of_two(relation.op, operand_range(own.number, integers),
                operand_range(reference.number, integers));
}

std::string label(const Table& table, std::size_t column) { return table.columns[column].label; }

std::string render(const Relation& relation, const std::vector<std::string>& names) {
  const auto two = [&](const std::string& before, const char* sign, const std::string& after) {
    return before + names[0] + sign + names[1] + after;
  };
  switch (relation.op) {
    case Op::kSum:
      return Join(names, " + ");
    case Op::kMean:
      return "mean of " + Join(names);
    case Op::kProduct:
      return two("", " * ", "");
    case Op::kDifference:
    case Op::kDifferenceToRow:
      return two("", " - ", "");
    case Op::kRatio:
    case Op::kRatioToRow:
      return two("", " / ", "");
    case Op::kRowToRatio:
      return names[1] + " / " + names[0];
    case Op::kPercentOf:
    case Op::kPercentOfRow:
    case Op::kPercentOfColumn:
      return two("", " / ", " in %");
    case Op::kPercentChange:
    case Op::kPercentChangeToRow:
      return two("(", " / ", " - 1) in %");
    case Op::kPercentSaved:
    case Op::kPercentSavedToRow:
      return two("(1 - ", " / ", ") in %");
  }
  return {};
}

}  // namespace

bool refers_to_row(Op op) { return op >= Op::kRatioToRow && op <= Op::kPercentSavedToRow; }

bool is_percent(Op op) {
  return op == Op::kPercentOf || op == Op::kPercentChange || op == Op::kPercentSaved ||
         op == Op::kPercentOfRow || op == Op::kPercentChangeToRow || op == Op::kPercentSavedToRow ||
         op == Op::kPercentOfColumn;
}

Range operand_range(const PrintedNumber& number, Integers integers) {
  const bool exact = integers == Integers::kExact && number.integer && number.unit.empty();
  return exact ? exact_of(number) : range_of(number);
}

std::optional<Range> allowed_at(const Table& table, const Relation& relation, std::size_t row,
                                Integers integers) {
  if (relation.op >= Op::kRatioToRow) return of_column(table, relation, row, integers);
  return of_columns(table, relation, row, integers);
}

bool units_fit(const Table& table, const Relation& relation, std::size_t row) {
  std::vector<const PrintedNumber*> operands;
  for (const std::size_t column : relation.args) {
    if (!is_number(table.cell(row, column))) return false;
    operands.push_back(&table.cell(row, column).number);
  }
  if (refers_to_row(relation.op)) {
    if (!is_number(table.cell(relation.row, relation.args[0]))) return false;
    operands.push_back(&table.cell(relation.row, relation.args[0]).number);
  }
  const Cell& cell = table.cell(row, relation.out);
  if (!is_number(cell)) return false;
  const std::string& out = cell.number.dimension;
  const bool alike = std::all_of(operands.begin(), operands.end(), [&](const PrintedNumber* n) {
    return n->dimension == operands.front()->dimension;
  });
  const std::string& first = operands.front()->dimension;
  const std::string& second = operands.back()->dimension;
  const bool plain = out.empty() || out == "%";
  switch (relation.op) {
    case Op::kSum:
    case Op::kDifference:
    case Op::kMean:
    case Op::kDifferenceToRow:
      return alike && out == first;
    case Op::kProduct:
      return first.empty() ? out == second : second.empty() ? out == first : out != first;
    case Op::kRatio:
      if (alike) return out.empty();
      if (second.empty()) return out == first;
      // Requests over seconds may say so in words alone: "Req/s".
      return (out != first || first.empty()) && out != second && out != "%";
    default:
      return alike && plain;
  }
}

Range printed_range(const Cell& cell) { return range_of(cell.number); }

std::optional<bool> holds_at(const Table& table, const Relation& relation, std::size_t row,
                             Integers integers) {
  const Cell& out = table.cell(row, relation.out);
  if (!is_number(out)) return std::nullopt;
  const std::optional<Range> allowed = allowed_at(table, relation, row, integers);
  if (!allowed) return std::nullopt;
  return touch(*allowed, operand_range(out.number, integers));
}

std::string formula(const Table& table, const Relation& relation) {
  std::vector<std::string> names;
  for (const std::size_t column : relation.args) names.push_back(label(table, column));
  if (refers_to_row(relation.op)) {
    names.push_back(names[0] + " of " + row_label(table, relation.row));
  } else if (relation.op == Op::kPercentOfColumn) {
    names.emplace_back("its sum");
  }
  return label(table, relation.out) + " = " + render(relation, names);
}

std::string with_numbers(const Table& table, const Relation& relation, std::size_t row) {
  std::vector<std::string> numbers;
  for (const std::size_t column : relation.args) numbers.push_back(table.cell(row, column).text);
  if (refers_to_row(relation.op)) {
    numbers.push_back(table.cell(relation.row, relation.args[0]).text);
  } else if (relation.op == Op::kPercentOfColumn) {
    numbers.emplace_back("sum");
  }
  return render(relation, numbers);
}

}  // namespace perfgate::audit
