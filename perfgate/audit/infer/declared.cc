// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/declared.h"

#include <optional>

#include "perfgate/audit/infer/candidates.h"
#include "perfgate/base/error.h"

namespace perfgate::audit {
namespace {

struct LostRow {
  std::string label;
};

class DerivedReader {
 public:
  DerivedReader(const Table& table, const Derived& derived) : table_(table), derived_(derived) {}

  void read(Declared& result) const {
    const std::string& op = derived_.op;
    const Integers integers = derived_.exact ? Integers::kExact : Integers::kRounded;
    if (const std::optional<Op> of_columns = column_op(op)) {
      Relation relation{*of_columns, column(derived_.out, "out"), columns(), 0};
      result.columns.push_back({std::move(relation), rows(), integers});
      if (*of_columns != Op::kSum && *of_columns != Op::kMean && derived_.args.size() != 2) {
        refuse("args", "expected two columns");
      }
    } else if (op == "ratio_to_row") {
      const std::size_t reference = row(derived_.row);
      if (derived_.of.size() != 1) refuse("of", "expected one column");
      Relation relation{Op::kRatioToRow,
                        column(derived_.out, "out"),
                        {column(derived_.of.front(), "of")},
                        reference};
      result.columns.push_back({std::move(relation), rows(), integers});
    } else if (op == "mean_of_rows" || op == "sum_of_rows") {
      RowRelation relation{op == "mean_of_rows" ? RowOp::kMean : RowOp::kSum, summary_row(), {}};
      relation.of = summands(relation.out);
      if (relation.of.empty()) refuse("of", "expected the labels of rows");
      Declared::OfRows entry{std::move(relation), {}, integers};
      for (const std::string& name : derived_.columns) {
        entry.columns.push_back(column(name, "columns"));
      }
      if (derived_.columns.empty()) entry.columns = numeric_columns(table_);
      result.rows.push_back(std::move(entry));
    } else if (op == "ratio_of_rows" || op == "diff_of_rows") {
      RowRelation relation{op == "ratio_of_rows" ? RowOp::kRatio : RowOp::kDifference,
                           row(derived_.row),
                           {row(derived_.num), row(derived_.den)}};
      result.rows.push_back({std::move(relation), {column(derived_.column, "column")}, integers});
    } else {
      refuse("op", "\"" + op +
                       "\" is no operation; expected sum, diff, ratio, mean, product, "
                       "percent_change, percent_saved, ratio_to_row, mean_of_rows, sum_of_rows, "
                       "ratio_of_rows or diff_of_rows");
    }
  }

 private:
  static std::optional<Op> column_op(const std::string& op) {
    if (op == "sum") return Op::kSum;
    if (op == "diff") return Op::kDifference;
    if (op == "ratio") return Op::kRatio;
    if (op == "mean") return Op::kMean;
    if (op == "product") return Op::kProduct;
    if (op == "percent_change") return Op::kPercentChange;
    if (op == "percent_saved") return Op::kPercentSaved;
    return std::nullopt;
  }

  [[noreturn]] void refuse(const char* field, const std::string& problem) const {
    throw Error(Exit::kData, table_.file + ": " + derived_.pointer + "/" + field + ": " + problem);
  }

  std::size_t column(const std::string& name, const char* field) const {
    const std::optional<std::size_t> found = find_column(table_, name);
    if (!found) refuse(field, "there is no column \"" + name + "\"");
    return *found;
  }

  std::size_t row(const std::string& label) const {
    const std::optional<std::size_t> found = find_row(table_, label);
    if (!found) throw LostRow{label};
    return *found;
  }

  bool of_all_others() const { return derived_.of == std::vector<std::string>{"*"}; }

  // What sums up all others stands below them, also where one of them has its name.
  std::size_t summary_row() const {
    for (std::size_t i = table_.rows.size(); of_all_others() && i > 0; --i) {
      if (row_label(table_, i - 1) == derived_.row) return i - 1;
    }
    return row(derived_.row);
  }

  // The rows that are named; "*" stands for all others.
  std::vector<std::size_t> summands(std::size_t out) const {
    std::vector<std::size_t> result;
    if (of_all_others()) {
      for (std::size_t i = 0; i < table_.rows.size(); ++i) {
        if (i != out) result.push_back(i);
      }
      return result;
    }
    for (const std::string& label : derived_.of) result.push_back(row(label));
    return result;
  }

  std::vector<std::size_t> columns() const {
    std::vector<std::size_t> result;
    for (const std::string& name : derived_.args) result.push_back(column(name, "args"));
    if (result.empty()) refuse("args", "expected the keys of columns");
    return result;
  }

  std::vector<std::size_t> rows() const {
    std::vector<std::size_t> result;
    for (const std::string& label : derived_.rows) result.push_back(row(label));
    if (derived_.rows.empty()) {
      for (std::size_t i = 0; i < table_.rows.size(); ++i) result.push_back(i);
    }
    return result;
  }

  const Table& table_;
  const Derived& derived_;
};

}  // namespace

Declared read_declared(const Table& table, std::vector<Finding>& findings) {
  Declared result;
  for (const Derived& derived : table.derived) {
    try {
      DerivedReader(table, derived).read(result);
    } catch (const LostRow& lost) {
      Finding finding = at_table(table);
      finding.pointer = derived.pointer;
      finding.kind = Kind::kListVsHeading;
      finding.severity = Severity::kHigh;
      finding.published = derived.op + " of row \"" + lost.label + "\"";
      finding.recomputed = "no such row";
      finding.explanation = "cells are said to follow from a row that the table does not have";
      findings.push_back(std::move(finding));
    }
  }
  return result;
}

}  // namespace perfgate::audit
