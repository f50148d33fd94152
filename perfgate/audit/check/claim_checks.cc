// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/check/claim_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "perfgate/audit/check/claim_checker.h"
#include "perfgate/audit/check/claim_wording.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/text/join.h"

namespace perfgate::audit {
namespace {

// The numbers of a column, without rows that sum up others.
std::vector<Range> column_values(const Table& table, std::size_t column) {
  std::vector<Range> values;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Cell& cell = table.cell(row, column);
    if (cell.kind == CellKind::kNumber) values.push_back(range_of(cell.number));
  }
  return values;
}

}  // namespace

void ClaimChecker::check() {
  const bool recomputed = check_operation() || check_column_mean() || check_wins() ||
                          check_faster() || check_row_count();
  check_stated_n();
  check_before_after();
  const bool worded = check_claim_wording(table_, claim_, tables_, result_);
  if (recomputed || worded) {
    ++result_.checked.claims;
  } else {
    ++result_.checked.claims_unchecked;
  }
}

void ClaimChecker::flag(Kind kind, Severity severity, std::string published, std::string recomputed,
                        std::string explanation) {
  result_.findings.push_back(found(at_claim(table_, claim_), kind, severity, std::move(published),
                                   std::move(recomputed), std::move(explanation)));
}

void ClaimChecker::compare(const PrintedNumber& value, Range allowed, const std::string& how) {
  if (touch(allowed, range_of(value))) return;
  // Where the number comes from another table, its weights may too.
  const Severity severity = claim_.has("table") ? Severity::kMedium : Severity::kHigh;
  flag(Kind::kArithmetic, severity, claim_.text("value"), range_text(allowed, value), how);
}

const Table* ClaimChecker::table_named(const std::string& id) const {
  for (const Table& table : tables_) {
    if (table.id == id) return &table;
  }
  return nullptr;
}

bool ClaimChecker::check_operation() {
  const std::string op = claim_.text("op");
  PrintedNumber value;
  if (op.empty() || !claim_.has("args") || !parse_printed_number(claim_.text("value"), value)) {
    return false;
  }
  std::vector<Range> operands;
  std::string numbers;
  for (const std::string& arg : claim_.fields.at("args")) {
    PrintedNumber number;
    if (!parse_printed_number(arg, number)) return false;
    operands.push_back(range_of(number));
    AppendItem(numbers, arg);
  }
  if (operands.empty()) return false;
  std::optional<Range> allowed;
  if (op == "sum") allowed = sum_of(operands);
  if (op == "mean") allowed = mean_of(operands);
  if (operands.size() == 2 && op == "ratio") allowed = divided(operands[0], operands[1]);
  if (operands.size() == 2 && op == "diff") allowed = minus(operands[0], operands[1]);
  if (operands.size() == 2 && op == "product") allowed = times(operands[0], operands[1]);
  if (operands.size() == 2 && op == "percent_change") {
    if (const auto ratio = divided(operands[0], operands[1])) {
      allowed = scaled({ratio->lo - 1, ratio->hi - 1}, 100);
    }
  }
  if (!allowed) return false;
  compare(value, *allowed, op + " of " + numbers);
  return true;
}

bool ClaimChecker::check_column_mean() {
  PrintedNumber value;
  if (!claim_.has("column") || !parse_printed_number(claim_.text("value"), value)) return false;
  const Naming metric = naming(claim_.text("metric"));
  const std::string op = claim_.text("op");
  const bool mean = op == "mean_column" || (op.empty() && metric.mean);
  const bool sum = op == "sum_column" || (op.empty() && metric.sum);
  if (!mean && !sum) return false;
  const std::string name = claim_.text("column");
  const Table* source = op.empty() ? nullptr : &table_;
  std::optional<std::size_t> column;
  if (source != nullptr) column = find_column(*source, name);
  if (!column && claim_.has("table")) {
    source = table_named(claim_.text("table"));
    if (source != nullptr) column = find_column(*source, name);
  }
  if (!column && source == nullptr && !claim_.has("table")) {
    source = &table_;
    column = find_column(*source, name);
  }
  if (source == nullptr || !column) return false;
  const std::vector<Range> values = column_values(*source, *column);
  if (values.empty()) return false;
  // Column values are in base units; the claim is in the column's own.
  const double scale = column_scale(*source, *column);
  PrintedNumber scaled_value = value;
  if (value.unit.empty()) scaled_value.scale = scale;
  const std::size_t before = result_.findings.size();
  compare(scaled_value, mean ? mean_of(values) : sum_of(values),
          std::string(mean ? "unweighted mean" : "sum") + " of the " +
              std::to_string(values.size()) + " rows of " + name + " in " + source->id +
              "; other weights are not stated");
  if (result_.findings.size() > before) flag_same_value(value);
  check_printed_twin(value, source == &table_ ? table_named(claim_.text("table")) : &table_);
  return true;
}

double ClaimChecker::column_scale(const Table& table, std::size_t column) {
  for (const Row& row : table.rows) {
    if (row.cells[column].kind == CellKind::kNumber) return row.cells[column].number.scale;
  }
  return 1;
}

void ClaimChecker::check_printed_twin(const PrintedNumber& value, const Table* other) {
  if (other == nullptr || !claim_.has("table") || claim_.text("table") == table_.id) return;
  for (const Row& row : other->rows) {
    for (const Cell& cell : row.cells) {
      if (cell.kind == CellKind::kNumber &&
          touch(range_of_plain(cell.number), range_of_plain(value))) {
        return;
      }
    }
  }
  flag(Kind::kDataConflict, Severity::kHigh, claim_.text("value"), "not in " + other->id,
       "the table that is said to print this mean has no such value");
}

void ClaimChecker::flag_same_value(const PrintedNumber& value) {
  const Table* other = table_named(claim_.text("table"));
  if (other == nullptr || other == &table_) return;
  for (std::size_t row = 0; row < other->rows.size(); ++row) {
    for (std::size_t column = 0; column < other->columns.size(); ++column) {
      const Cell& cell = other->cell(row, column);
      if (cell.kind != CellKind::kNumber || cell.number.value != value.value ||
          cell.number.half_unit != value.half_unit) {
        continue;
      }
      Finding finding = at_cell(*other, row, column);
      finding.kind = Kind::kArithmetic;
      finding.severity = Severity::kMedium;
      finding.recomputed = result_.findings.back().recomputed;
      finding.explanation = "claim " + claim_.id + " of " + table_.id +
                            " gives it as a mean, which its rows do not give";
      result_.findings.push_back(std::move(finding));
      return;
    }
  }
}

std::optional<std::size_t> ClaimChecker::column_of_metric() const {
  const std::string metric = slug(claim_.text("metric"));
  if (metric.empty()) return std::nullopt;
  for (std::size_t c = 0; c < table_.columns.size(); ++c) {
    if (slug(table_.columns[c].key).starts_with(metric)) return c;
  }
  return std::nullopt;
}

void ClaimChecker::check_before_after() {
  PrintedNumber old_value;
  PrintedNumber new_value;
  if (!parse_printed_number(claim_.text("before"), old_value) ||
      !parse_printed_number(claim_.text("after"), new_value)) {
    return;
  }
  const std::optional<std::size_t> column = column_of_metric();
  const std::string verdict = lower(claim_.text("verdict"));
  if (column && !new_value.approximate) {
    bool printed = false;
    for (const Row& row : table_.rows) {
      const Cell& cell = row.cells[*column];
      printed = printed || (cell.kind == CellKind::kNumber &&
                            touch(range_of_plain(cell.number), range_of_plain(new_value)));
    }
    if (!printed && !column_values(table_, *column).empty()) {
      flag(Kind::kDataConflict, Severity::kMedium, "after=" + claim_.text("after"),
           "not in column " + table_.columns[*column].label,
           "the table has no such value where the claim says it is");
    }
  }
  if (column && verdict == "improved" && table_.columns[*column].better != Better::kUnknown) {
    const bool lower_better = table_.columns[*column].better == Better::kLower;
    const bool worse =
        lower_better ? new_value.value > old_value.value : new_value.value < old_value.value;
    if (worse) {
      flag(Kind::kDirection, Severity::kHigh, "improved",
           claim_.text("before") + " to " + claim_.text("after"),
           "the later value is the worse one");
    }
  }
}

Range ClaimChecker::range_of_plain(const PrintedNumber& number) {
  return {number.value - number.half_unit, number.value + number.half_unit};
}

void check_claims(const Table& table, const std::vector<Table>& tables, AuditResult& result) {
  for (const Claim& claim : table.claims) ClaimChecker(table, claim, tables, result).check();
}

}  // namespace perfgate::audit
