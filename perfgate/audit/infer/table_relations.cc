// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/table_relations.h"

#include <algorithm>
#include <set>

#include "perfgate/audit/infer/infer_rows.h"
#include "perfgate/audit/infer/plain_summary.h"
#include "perfgate/audit/infer/relation_checker.h"

namespace perfgate::audit {
namespace {

Kind kind_of(Op op) { return op == Op::kSum ? Kind::kTotal : Kind::kArithmetic; }

std::string support_text(const Support& support, const char* what) {
  const std::size_t all = support.holds.size() + support.breaks.size();
  return "holds in " + std::to_string(support.holds.size()) + " of " + std::to_string(all) + " " +
         what;
}

}  // namespace

void Relations::check() {
  if (table_.rows.size() > kMostRows ||
      numeric_columns(table_, table_.columns.size()).size() > kMostColumns) {
    result_.notes.push_back(table_.file + ": " + table_.id + " has more than " +
                            std::to_string(kMostRows) + " rows or " + std::to_string(kMostColumns) +
                            " columns of numbers: not all relations were searched");
  }
  const Declared declared = read_declared(table_, result_.findings);
  for (const Declared::OfColumns& entry : declared.columns) check_declared(entry);
  for (const Declared::OfRows& entry : declared.rows) check_declared(entry);
  check_mixed_operations(declared);
  infer_columns();
  infer_rows();
  check_by_name();
  leave_out_consequences();
  result_.checked.cells_derived += static_cast<int>(derived_.size());
}

Finding Relations::broken(std::size_t row, std::size_t column, Range allowed, Kind kind,
                          const std::string& explanation) const {
  return found(at_cell(table_, row, column), kind, Severity::kHigh, table_.cell(row, column).text,
               range_text(allowed, table_.cell(row, column).number), explanation);
}

void Relations::flag(std::size_t row, std::size_t column, Finding finding) {
  if (flagged_.insert({row, column}).second) result_.findings.push_back(std::move(finding));
}

void Relations::flag_broken(const Relation& relation, std::size_t row, Range allowed,
                            Finding finding) {
  const Place place{row, relation.out};
  if (flagged_.contains(place)) return;
  broken_.push_back({place, relation, allowed, result_.findings.size()});
  flag(row, relation.out, std::move(finding));
}

void Relations::leave_out_consequences() {
  std::set<std::size_t> left_out;
  for (const Broken& cause : broken_) {
    Table corrected = table_;
    PrintedNumber& number = corrected.rows[cause.place.first].cells[cause.place.second].number;
    number.value = middle(cause.allowed) / number.scale;
    number.half_unit = width(cause.allowed) / 2 / number.scale;
    for (const Broken& other : broken_) {
      const std::vector<std::size_t>& args = other.relation.args;
      const bool operand = std::find(args.begin(), args.end(), cause.place.second) != args.end();
      if (!operand || left_out.contains(cause.finding) ||
          holds_at(corrected, other.relation, other.place.first) != true) {
        continue;
      }
      left_out.insert(other.finding);
      result_.findings[cause.finding].explanation +=
          "; the recomputed value also agrees with row " + std::to_string(other.place.first + 1) +
          ", " + table_.columns[other.place.second].label;
    }
  }
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot read std::views of libstdc++ 12
  for (auto last = left_out.rbegin(); last != left_out.rend(); ++last) {
    result_.findings.erase(result_.findings.begin() + static_cast<std::ptrdiff_t>(*last));
  }
}

void Relations::check_declared(const Declared::OfColumns& entry) {
  ++result_.checked.relations;
  declared_columns_.insert(entry.relation.out);
  stated_.push_back(entry.relation);
  for (const std::size_t row : entry.rows) {
    const std::optional<bool> holds = holds_at(table_, entry.relation, row, entry.integers);
    const Place place{row, entry.relation.out};
    if (!holds) continue;
    derived_.insert(place);
    if (*holds) {
      held_.insert(place);
      continue;
    }
    const Range allowed = *allowed_at(table_, entry.relation, row, entry.integers);
    flag_broken(entry.relation, row, allowed,
                broken(row, entry.relation.out, allowed, kind_of(entry.relation.op),
                       formula(table_, entry.relation) +
                           " (declared): " + with_numbers(table_, entry.relation, row)));
  }
}

void Relations::check_declared(const Declared::OfRows& entry) {
  ++result_.checked.relations;
  declared_rows_.insert(entry.relation.out);
  if (entry.relation.op == RowOp::kSum) {
    summands_.insert(entry.relation.of.begin(), entry.relation.of.end());
  }
  for (const std::size_t column : entry.columns) {
    const std::optional<bool> holds = holds_at(table_, entry.relation, column, entry.integers);
    if (!holds) continue;
    derived_.insert({entry.relation.out, column});
    if (*holds) continue;
    flag(entry.relation.out, column,
         broken(entry.relation.out, column,
                *allowed_at(table_, entry.relation, column, entry.integers),
                entry.relation.op == RowOp::kSum ? Kind::kTotal : Kind::kArithmetic,
                formula(table_, entry.relation) + " (declared)"));
  }
}

void Relations::check_mixed_operations(const Declared& declared) {
  for (const Declared::OfColumns& entry : declared.columns) {
    if (entry.relation.op != Op::kDifference) continue;
    const auto ratios = std::find_if(
        declared.columns.begin(), declared.columns.end(), [&](const Declared::OfColumns& other) {
          return other.relation.op == Op::kRatio && other.relation.out == entry.relation.out;
        });
    if (ratios == declared.columns.end()) continue;
    const bool minority = entry.rows.size() <= ratios->rows.size();
    const Declared::OfColumns& odd = minority ? entry : *ratios;
    for (const std::size_t row : odd.rows) {
      if (!held_.contains({row, odd.relation.out})) continue;
      Finding finding = at_cell(table_, row, odd.relation.out);
      finding.kind = Kind::kDirection;
      finding.severity = Severity::kLow;
      finding.recomputed = with_numbers(table_, odd.relation, row);
      finding.explanation = "ratios and differences in one column cannot be compared";
      flag(row, odd.relation.out, std::move(finding));
    }
  }
}

bool Relations::reverses(std::size_t out, const std::vector<std::size_t>& args) const {
  const auto has = [](const std::vector<std::size_t>& list, std::size_t index) {
    return std::find(list.begin(), list.end(), index) != list.end();
  };
  return std::any_of(stated_.begin(), stated_.end(),
                     [&](const Relation& one) { return has(one.args, out) && has(args, one.out); });
}

void Relations::infer_columns() {
  for (const Inferred& found : infer_relations(table_)) {
    const std::size_t out = found.relation.out;
    if (declared_columns_.contains(out) || reverses(out, found.relation.args)) {
      continue;
    }
    ++result_.checked.relations;
    inferred_columns_.insert(out);
    const std::string reason =
        formula(table_, found.relation) + " " + support_text(found.support, "rows") + "; here ";
    for (const std::size_t row : found.support.holds) held_.insert({row, out});
    for (const std::size_t row : found.support.holds) derived_.insert({row, out});
    for (const std::size_t row : found.broken) {
      derived_.insert({row, out});
      if (follows_from_rows(table_, row, out)) continue;
      const Range allowed = *allowed_at(table_, found.relation, row, found.integers);
      flag_broken(found.relation, row, allowed,
                  broken(row, out, allowed, kind_of(found.relation.op),
                         reason + with_numbers(table_, found.relation, row)));
    }
    for (const Inferred::Other& other : found.other) flag_other(found, other);
  }
}

void Relations::flag_other(const Inferred& found, const Inferred::Other& other) {
  const std::size_t out = found.relation.out;
  held_.insert({other.row, out});
  Relation relation = found.relation;
  relation.op = other.op;
  if (other.reversed) std::swap(relation.args[0], relation.args[1]);
  Finding finding = at_cell(table_, other.row, out);
  finding.kind = Kind::kDirection;
  finding.severity = other.op == found.relation.op ? Severity::kMedium : Severity::kLow;
  finding.recomputed = with_numbers(table_, relation, other.row);
  finding.explanation = formula(table_, found.relation) + " in " +
                        std::to_string(found.support.holds.size()) +
                        " rows; this one is another operation on the same cells";
  flag(other.row, out, std::move(finding));
}

void Relations::infer_rows() {
  for (const InferredRow& found : infer_row_relations(table_)) {
    const std::size_t out = found.relation.out;
    if (declared_rows_.contains(out) || summands_.contains(out)) continue;
    ++result_.checked.relations;
    for (const std::size_t column : found.support.holds) derived_.insert({out, column});
    for (const std::size_t column : found.support.breaks) {
      // The ratio of means is no mean of ratios: what follows within the row need not follow
      // from the other rows.
      if (held_.contains({out, column})) continue;
      derived_.insert({out, column});
      flag(out, column,
           broken(out, column, *allowed_at(table_, found.relation, column, found.integers),
                  found.relation.op == RowOp::kSum ? Kind::kTotal : Kind::kArithmetic,
                  formula(table_, found.relation) + " " + support_text(found.support, "columns")));
    }
  }
}

void check_relations(const Table& table, AuditResult& result) { Relations(table, result).check(); }

}  // namespace perfgate::audit
