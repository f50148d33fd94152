// SPDX-License-Identifier: Apache-2.0
// claim_checker.h: recomputes one statement that is published with a table.
//
// claim_checks.cc has sums, ratios, means and values before and after, claim_counts.cc what is
// counted: wins, rows, runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/audit/read/finding.h"

namespace perfgate::audit {

class ClaimChecker {
 public:
  ClaimChecker(const Table& table, const Claim& claim, const std::vector<Table>& tables,
               AuditResult& result)
      : table_(table), claim_(claim), tables_(tables), result_(result) {}

  void check();

 private:
  void flag(Kind kind, Severity severity, std::string published, std::string recomputed,
            std::string explanation);

  void compare(const PrintedNumber& value, Range allowed, const std::string& how);

  const Table* table_named(const std::string& id) const;

  // {"op": "ratio", "args": ["1.2", "0.8"], "value": "1.5"}
  bool check_operation();

  // {"op": "mean_column", "column": "x"} and "equals mean of ..." with a table and a column.
  bool check_column_mean();

  static double column_scale(const Table& table, std::size_t column);

  // A mean over one table's rows that another table prints: the other table has to have it.
  void check_printed_twin(const PrintedNumber& value, const Table* other);

  // The other table that prints the number which does not recompute.
  void flag_same_value(const PrintedNumber& value);

  // {"metric": "wins", "arm": "a", "value": 6, "of": 6} against cells such as "3/0/0".
  bool check_wins();
  void check_of(int rows);

  // "tasks where A is faster": 3 of 4, counted, and counted again without ties.
  bool check_faster();

  static bool mentions_all(const std::string& metric, const std::string& label);

  // {"metric": "profiles", "value": 6}: how many rows there are.
  bool check_row_count();

  void check_stated_n();

  std::optional<std::size_t> column_of_metric() const;

  // "before 4.022, after 4.018": the later value is the table's, and the words fit the direction.
  void check_before_after();

  static Range range_of_plain(const PrintedNumber& number);

  const Table& table_;
  const Claim& claim_;
  const std::vector<Table>& tables_;
  AuditResult& result_;
};

}  // namespace perfgate::audit
