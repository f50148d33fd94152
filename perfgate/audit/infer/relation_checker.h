// SPDX-License-Identifier: Apache-2.0
// relation_checker.h: checks a table's declared, inferred and named relations, and remembers what
// is known of each cell, so that one wrong cell is one finding.
//
// table_relations.cc has the declared and the inferred ones, relations_by_name.cc those that labels
// alone name.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/infer/declared.h"
#include "perfgate/audit/infer/infer.h"
#include "perfgate/audit/infer/row_relation.h"
#include "perfgate/audit/read/finding.h"

namespace perfgate::audit {

using Place = std::pair<std::size_t, std::size_t>;  // row, column

class Relations {
 public:
  Relations(const Table& table, AuditResult& result) : table_(table), result_(result) {}

  void check();

 private:
  Finding broken(std::size_t row, std::size_t column, Range allowed, Kind kind,
                 const std::string& explanation) const;

  void flag(std::size_t row, std::size_t column, Finding finding);

  // A cell that breaks `relation`, with what would have been right there.
  void flag_broken(const Relation& relation, std::size_t row, Range allowed, Finding finding);

  // A wrong total also breaks the ratios that were computed from the right one. Those agree with
  // the recomputed total, so they are evidence for it and no findings of their own.
  void leave_out_consequences();

  void check_declared(const Declared::OfColumns& entry);

  void check_declared(const Declared::OfRows& entry);

  // A column that is declared to hold ratios in some rows and differences in others.
  void check_mixed_operations(const Declared& declared);

  void infer_columns();

  void flag_other(const Inferred& found, const Inferred::Other& other);

  void infer_rows();

  // Cells whose own labels say which operation on which cells they are, where too few cells speak
  // for a relation to infer it.
  void check_by_name();
  void check_summary(std::size_t row, std::size_t column);
  void check_named_row(std::size_t row);
  double distance(const RowRelation& relation, std::size_t column) const;
  // A column named a ratio or a difference with a single number, beside exactly two columns that it
  // can mean.
  void check_named_column(std::size_t out);

  // "A part is the total less the other part": a declared relation the other way round, which holds
  // in many places where most parts are 0 and in no others.
  bool reverses(std::size_t out, const std::vector<std::size_t>& args) const;

  const Table& table_;
  AuditResult& result_;
  std::vector<Relation> stated_;  // of columns, by the table itself
  // Rows that the table adds up to a total: a wrong one breaks the total, so they need no relation
  // of their own, and among small counts there are many by chance.
  std::set<std::size_t> summands_;
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

}  // namespace perfgate::audit
