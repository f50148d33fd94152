// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/table_relations.h"

#include <algorithm>
#include <set>

#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/infer/declared.h"
#include "perfgate/audit/infer/infer.h"
#include "perfgate/audit/infer/infer_rows.h"
#include "perfgate/audit/infer/plain_summary.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

using Place = std::pair<std::size_t, std::size_t>;  // row, column

Kind kind_of(Op op) { return op == Op::kSum ? Kind::kTotal : Kind::kArithmetic; }

std::string support_text(const Support& support, const char* what) {
  const std::size_t all = support.holds.size() + support.breaks.size();
  return "holds in " + std::to_string(support.holds.size()) + " of " + std::to_string(all) + " " +
         what;
}

class Relations {
 public:
  Relations(const Table& table, AuditResult& result) : table_(table), result_(result) {}

  void check() {
    if (table_.rows.size() > kMostRows ||
        numeric_columns(table_, table_.columns.size()).size() > kMostColumns) {
      result_.notes.push_back(table_.file + ": " + table_.id + " has more than " +
                              std::to_string(kMostRows) + " rows or " +
                              std::to_string(kMostColumns) +
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

 private:
  Finding broken(std::size_t row, std::size_t column, Range allowed, Kind kind,
                 const std::string& explanation) const {
    Finding finding = at_cell(table_, row, column);
    finding.kind = kind;
    finding.severity = Severity::kHigh;
    finding.recomputed = range_text(allowed, table_.cell(row, column).number);
    finding.explanation = explanation;
    return finding;
  }

  void flag(std::size_t row, std::size_t column, Finding finding) {
    if (flagged_.insert({row, column}).second) result_.findings.push_back(std::move(finding));
  }

  // A cell that breaks `relation`, with what would have been right there.
  void flag_broken(const Relation& relation, std::size_t row, Range allowed, Finding finding) {
    const Place place{row, relation.out};
    if (flagged_.count(place) != 0) return;
    broken_.push_back({place, relation, allowed, result_.findings.size()});
    flag(row, relation.out, std::move(finding));
  }

  // A wrong total also breaks the ratios that were computed from the right one. Those agree with
  // the recomputed total, so they are evidence for it and no findings of their own.
  void leave_out_consequences() {
    std::set<std::size_t> left_out;
    for (const Broken& cause : broken_) {
      Table corrected = table_;
      PrintedNumber& number = corrected.rows[cause.place.first].cells[cause.place.second].number;
      number.value = middle(cause.allowed) / number.scale;
      number.half_unit = width(cause.allowed) / 2 / number.scale;
      for (const Broken& other : broken_) {
        const std::vector<std::size_t>& args = other.relation.args;
        const bool operand = std::find(args.begin(), args.end(), cause.place.second) != args.end();
        if (!operand || left_out.count(cause.finding) != 0 ||
            holds_at(corrected, other.relation, other.place.first) != true) {
          continue;
        }
        left_out.insert(other.finding);
        result_.findings[cause.finding].explanation +=
            "; the recomputed value also agrees with row " + std::to_string(other.place.first + 1) +
            ", " + table_.columns[other.place.second].label;
      }
    }
    for (auto last = left_out.rbegin(); last != left_out.rend(); ++last) {
      result_.findings.erase(result_.findings.begin() + static_cast<std::ptrdiff_t>(*last));
    }
  }

  void check_declared(const Declared::OfColumns& entry) {
    ++result_.checked.relations;
    declared_columns_.insert(entry.relation.out);
    for (const std::size_t row : entry.rows) {
      const std::optional<bool> holds = holds_at(table_, entry.relation, row);
      const Place place{row, entry.relation.out};
      if (!holds) continue;
      derived_.insert(place);
      if (*holds) {
        held_.insert(place);
        continue;
      }
      const Range allowed = *allowed_at(table_, entry.relation, row);
      flag_broken(entry.relation, row, allowed,
                  broken(row, entry.relation.out, allowed, kind_of(entry.relation.op),
                         formula(table_, entry.relation) +
                             " (declared): " + with_numbers(table_, entry.relation, row)));
    }
  }

  void check_declared(const Declared::OfRows& entry) {
    ++result_.checked.relations;
    declared_rows_.insert(entry.relation.out);
    for (const std::size_t column : entry.columns) {
      const std::optional<bool> holds = holds_at(table_, entry.relation, column);
      if (!holds) continue;
      derived_.insert({entry.relation.out, column});
      if (*holds) continue;
      flag(entry.relation.out, column,
           broken(entry.relation.out, column, *allowed_at(table_, entry.relation, column),
                  entry.relation.op == RowOp::kSum ? Kind::kTotal : Kind::kArithmetic,
                  formula(table_, entry.relation) + " (declared)"));
    }
  }

  // A column that is declared to hold ratios in some rows and differences in others.
  void check_mixed_operations(const Declared& declared) {
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
        if (!held_.count({row, odd.relation.out})) continue;
        Finding finding = at_cell(table_, row, odd.relation.out);
        finding.kind = Kind::kDirection;
        finding.severity = Severity::kLow;
        finding.recomputed = with_numbers(table_, odd.relation, row);
        finding.explanation = "ratios and differences in one column cannot be compared";
        flag(row, odd.relation.out, std::move(finding));
      }
    }
  }

  void infer_columns() {
    for (const Inferred& found : infer_relations(table_)) {
      const std::size_t out = found.relation.out;
      if (declared_columns_.count(out) != 0) continue;
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

  void flag_other(const Inferred& found, const Inferred::Other& other) {
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

  void infer_rows() {
    for (const InferredRow& found : infer_row_relations(table_)) {
      const std::size_t out = found.relation.out;
      if (declared_rows_.count(out) != 0) continue;
      ++result_.checked.relations;
      for (const std::size_t column : found.support.holds) derived_.insert({out, column});
      for (const std::size_t column : found.support.breaks) {
        // The ratio of means is no mean of ratios: what follows within the row need not follow
        // from the other rows.
        if (held_.count({out, column}) != 0) continue;
        derived_.insert({out, column});
        flag(
            out, column,
            broken(out, column, *allowed_at(table_, found.relation, column, found.integers),
                   found.relation.op == RowOp::kSum ? Kind::kTotal : Kind::kArithmetic,
                   formula(table_, found.relation) + " " + support_text(found.support, "columns")));
      }
    }
  }

  // Cells whose own labels say which operation on which cells they are, where too few cells speak
  // for a relation to infer it.
  void check_by_name() {
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (declared_rows_.count(row) == 0) check_named_row(row);
    }
    for (const std::size_t column : numeric_columns(table_)) {
      if (declared_columns_.count(column) == 0 && inferred_columns_.count(column) == 0) {
        check_named_column(column);
      }
    }
  }

  void check_summary(std::size_t row, std::size_t column) {
    const Place place{row, column};
    if (derived_.count(place) != 0 || held_.count(place) != 0) return;
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

  void check_named_row(std::size_t row) {
    for (const std::size_t column : numeric_columns(table_)) check_summary(row, column);
    const std::vector<RowRelation> pairs = named_row_ratios(table_, row);
    if (pairs.empty()) return;
    for (const std::size_t column : numeric_columns(table_)) {
      if (derived_.count({row, column}) != 0) continue;
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

  double distance(const RowRelation& relation, std::size_t column) const {
    return std::abs(middle(*allowed_at(table_, relation, column)) -
                    middle(printed_range(table_.cell(relation.out, column))));
  }

  // A column named a ratio or a difference with a single number, beside exactly two columns that it
  // can mean.
  void check_named_column(std::size_t out) {
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
    flag(rows[0], out,
         broken(
             rows[0], out, *allowed_at(table_, closest, rows[0]), Kind::kArithmetic,
             formula(table_, closest) + " by its name: " + with_numbers(table_, closest, rows[0])));
  }

  const Table& table_;
  AuditResult& result_;
  std::set<std::size_t> declared_columns_;
  std::set<std::size_t> declared_rows_;
  std::set<std::size_t> inferred_columns_;
  std::set<Place> derived_;
  std::set<Place> held_;
  std::set<Place> flagged_;
  struct Broken {
    Place place;
    Relation relation;
    Range allowed;
    std::size_t finding;
  };
  std::vector<Broken> broken_;
};

}  // namespace

void check_relations(const Table& table, AuditResult& result) { Relations(table, result).check(); }

}  // namespace perfgate::audit
