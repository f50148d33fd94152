// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include "perfgate/audit/infer/infer_rows.h"
#include "perfgate/audit/infer/plain_summary.h"
#include "perfgate/audit/infer/relation_checker.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {

void Relations::check_by_name() {
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    if (!declared_rows_.contains(row)) check_named_row(row);
  }
  for (const std::size_t column : numeric_columns(table_)) {
    if (!declared_columns_.contains(column) && !inferred_columns_.contains(column)) {
      check_named_column(column);
    }
  }
}

void Relations::check_summary(std::size_t row, std::size_t column) {
  const Place place{row, column};
  if (derived_.contains(place) || held_.contains(place)) return;
  if (table_.cell(row, column).kind != CellKind::kNumber) return;
  const std::optional<PlainSummary> summary = plain_summary(table_, row, column);
  if (!summary) return;
  derived_.insert(place);
  ++result_.checked.relations;
  if (summary->holds) return;
  Finding finding =
      broken(row, column, summary->allowed,
             summary->relation.op == RowOp::kSum ? Kind::kTotal : Kind::kArithmetic,
             formula(table_, summary->relation) + " by its name; no other choice of rows fits");
  finding.severity = Severity::kMedium;
  flag(row, column, std::move(finding));
}

void Relations::check_named_row(std::size_t row) {
  for (const std::size_t column : numeric_columns(table_)) check_summary(row, column);
  const std::vector<RowRelation> pairs = named_row_ratios(table_, row);
  if (pairs.empty()) return;
  for (const std::size_t column : numeric_columns(table_)) {
    if (derived_.contains({row, column})) continue;
    const RowRelation* closest = nullptr;
    bool holds = false;
    for (const RowRelation& pair : pairs) {
      const std::optional<bool> fits = holds_at(table_, pair, column);
      if (!fits || !allowed_at(table_, pair, column)) continue;
      holds = holds || *fits;
      if (closest == nullptr || distance(pair, column) < distance(*closest, column)) {
        closest = &pair;
      }
    }
    if (closest == nullptr) continue;
    derived_.insert({row, column});
    ++result_.checked.relations;
    if (holds) continue;
    flag(row, column,
         broken(row, column, *allowed_at(table_, *closest, column), Kind::kArithmetic,
                formula(table_, *closest) + " by its name"));
  }
}

double Relations::distance(const RowRelation& relation, std::size_t column) const {
  return std::abs(middle(*allowed_at(table_, relation, column)) -
                  middle(printed_range(table_.cell(relation.out, column))));
}

void Relations::check_named_column(std::size_t out) {
  const Naming label = naming(table_.columns[out].label);
  std::vector<std::size_t> rows;
  bool factor = false;
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    if (table_.cell(row, out).kind != CellKind::kNumber) continue;
    rows.push_back(row);
    factor = factor || table_.cell(row, out).number.unit == "x";
  }
  if (rows.size() != 1 || !(label.ratio || factor || label.difference)) return;
  std::vector<std::size_t> operands;
  for (const std::size_t column : numeric_columns(table_)) {
    const Naming other = naming(table_.columns[column].label);
    if (column != out && !other.ratio && !other.difference && !other.percent &&
        table_.cell(rows[0], column).kind == CellKind::kNumber) {
      operands.push_back(column);
    }
  }
  if (operands.size() != 2) return;
  const std::string names =
      table_.columns[operands[0]].label + " " + table_.columns[operands[1]].label;
  if (!named_in(label.content, names)) return;
  const Op op = label.difference && !label.ratio ? Op::kDifference : Op::kRatio;
  Relation relation{op, out, operands, 0};
  Relation reversed{op, out, {operands[1], operands[0]}, 0};
  if (!units_fit(table_, relation, rows[0])) return;
  const std::optional<bool> holds = holds_at(table_, relation, rows[0]);
  const std::optional<bool> turned = holds_at(table_, reversed, rows[0]);
  if (!holds || !turned) return;
  derived_.insert({rows[0], out});
  ++result_.checked.relations;
  if (*holds || *turned) return;
  const double printed = middle(printed_range(table_.cell(rows[0], out)));
  const auto off = [&](const Relation& one) {
    return std::abs(middle(*allowed_at(table_, one, rows[0])) - printed);
  };
  const Relation& closest = off(reversed) < off(relation) ? reversed : relation;
  flag(
      rows[0], out,
      broken(rows[0], out, *allowed_at(table_, closest, rows[0]), Kind::kArithmetic,
             formula(table_, closest) + " by its name: " + with_numbers(table_, closest, rows[0])));
}

}  // namespace perfgate::audit
