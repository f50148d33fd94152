// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/check/claim_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

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

class ClaimChecker {
 public:
  ClaimChecker(const Table& table, const Claim& claim, const std::vector<Table>& tables,
               AuditResult& result)
      : table_(table), claim_(claim), tables_(tables), result_(result) {}

  void check() {
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

 private:
  void flag(Kind kind, Severity severity, std::string published, std::string recomputed,
            std::string explanation) {
    result_.findings.push_back(found(at_claim(table_, claim_), kind, severity, std::move(published),
                                     std::move(recomputed), std::move(explanation)));
  }

  void compare(const PrintedNumber& value, Range allowed, const std::string& how) {
    if (touch(allowed, range_of(value))) return;
    // Where the number comes from another table, its weights may too.
    const Severity severity = claim_.has("table") ? Severity::kMedium : Severity::kHigh;
    flag(Kind::kArithmetic, severity, claim_.text("value"), range_text(allowed, value), how);
  }

  const Table* table_named(const std::string& id) const {
    for (const Table& table : tables_) {
      if (table.id == id) return &table;
    }
    return nullptr;
  }

  // {"op": "ratio", "args": ["1.2", "0.8"], "value": "1.5"}
  bool check_operation() {
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

  // {"op": "mean_column", "column": "x"} and "equals mean of ..." with a table and a column.
  bool check_column_mean() {
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

  static double column_scale(const Table& table, std::size_t column) {
    for (const Row& row : table.rows) {
      if (row.cells[column].kind == CellKind::kNumber) return row.cells[column].number.scale;
    }
    return 1;
  }

  // A mean over one table's rows that another table prints: the other table has to have it.
  void check_printed_twin(const PrintedNumber& value, const Table* other) {
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

  // The other table that prints the number which does not recompute.
  void flag_same_value(const PrintedNumber& value) {
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

  // {"metric": "wins", "arm": "a", "value": 6, "of": 6} against cells such as "3/0/0".
  bool check_wins() {
    const int value = counted(claim_.text("value"));
    if (value < 0 || !mentions(claim_.text("metric"), "wins") || !claim_.has("arm")) return false;
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      const std::vector<std::string> words = words_of(table_.columns[c].label);
      int rows = 0;
      int won = 0;
      bool second = false;
      for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        second = second || (similar(words[i + 1], lower(claim_.text("arm"))) && i > 0);
      }
      for (const Row& row : table_.rows) {
        const Cell& cell = row.cells[c];
        if (cell.kind != CellKind::kCounts) continue;
        ++rows;
        const double own = second ? cell.losses : cell.wins;
        const double other = second ? cell.wins : cell.losses;
        if (own > other) ++won;
      }
      if (rows == 0) continue;
      if (won != value) {
        flag(Kind::kCount, Severity::kHigh, claim_.text("value") + " wins", std::to_string(won),
             "rows that " + claim_.text("arm") + " wins by " + table_.columns[c].label);
      }
      check_of(rows);
      return true;
    }
    return false;
  }

  void check_of(int rows) {
    const int of = counted(claim_.text("of"));
    if (of < 0 || of == rows) return;
    flag(Kind::kListVsHeading, Severity::kHigh, "of " + claim_.text("of"),
         std::to_string(rows) + " rows", "the claim counts other rows than the table has");
  }

  // "tasks where A is faster": 3 of 4, counted, and counted again without ties.
  bool check_faster() {
    const std::string metric = claim_.text("metric");
    const int value = counted(claim_.text("value"));
    const std::vector<std::string> words = words_of(metric);
    const auto has = [&](const char* word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    };
    const bool less = has("faster") || has("lower") || has("smaller");
    const bool more = has("slower") || has("higher") || has("larger");
    if (value < 0 || less == more) return false;
    std::vector<std::size_t> arms;
    for (const std::size_t column : numeric_columns(table_)) {
      const Naming label = naming(table_.columns[column].label);
      if (!label.ratio && !label.difference && !label.percent) arms.push_back(column);
    }
    if (arms.size() != 2) return false;
    const bool first = mentions_all(metric, table_.columns[arms[0]].label);
    const bool second = mentions_all(metric, table_.columns[arms[1]].label);
    if (first == second) return false;
    // "faster" of a rate is more of it.
    bool smaller_wins = less;
    if (table_.columns[arms[0]].better == Better::kHigher && (has("faster") || has("slower"))) {
      smaller_wins = !smaller_wins;
    }
    int rows = 0;
    int won = 0;
    int clear = 0;
    std::string ties;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const Cell& own = table_.cell(row, arms[first ? 0 : 1]);
      const Cell& other = table_.cell(row, arms[first ? 1 : 0]);
      if (own.kind != CellKind::kNumber || other.kind != CellKind::kNumber) continue;
      ++rows;
      const double a = own.number.value * own.number.scale;
      const double b = other.number.value * other.number.scale;
      if (smaller_wins ? a >= b : a <= b) continue;
      ++won;
      const double share = a == 0 ? 1 : std::abs(b / a - 1);
      if (share > kTieShare) {
        ++clear;
      } else {
        AppendItem(ties, row_label(table_, row) + " " + number_text(100 * share, 0.05) + " %");
      }
    }
    if (rows == 0) return false;
    const std::string published = metric + ": " + claim_.text("value");
    if (won != value) {
      flag(Kind::kCount, Severity::kHigh, published,
           std::to_string(won) + " of " + std::to_string(rows), "rows in which it is");
    } else if (clear < won && !has_dispersion(table_)) {
      flag(Kind::kClaimSupport, Severity::kMedium, published,
           std::to_string(clear) + " beyond 5 %; ties: " + ties,
           "no dispersion is published, and differences below 5 % are ties");
    }
    check_of(rows);
    return true;
  }

  static bool mentions_all(const std::string& metric, const std::string& label) {
    const std::vector<std::string> words = words_of(label);
    return !words.empty() && named_in({words.begin(), words.end()}, metric);
  }

  // {"metric": "profiles", "value": 6}: how many rows there are.
  bool check_row_count() {
    const int value = counted(claim_.text("value"));
    const std::vector<std::string> words = words_of(claim_.text("metric"));
    if (value < 0 || words.size() != 1 || table_.columns.empty()) return false;
    const std::vector<std::string> label = words_of(table_.columns[0].label);
    if (words[0] != "rows" && (label.empty() || singular(words[0]) != singular(label.back()))) {
      return false;
    }
    const std::size_t rows = table_.rows.size();
    if (static_cast<std::size_t>(value) != rows) {
      flag(Kind::kListVsHeading, Severity::kHigh, words[0] + "=" + claim_.text("value"),
           std::to_string(rows) + " rows", "the claim counts other rows than the table has");
    }
    return true;
  }

  void check_stated_n() {
    const int n = counted(claim_.text("n"));
    const std::optional<int> runs = stated_count(table_, "runs");
    if (n < 0 || !runs || n == *runs) return;
    flag(Kind::kCount, Severity::kMedium, "n=" + claim_.text("n"), "runs=" + std::to_string(*runs),
         "the claim rests on another number of runs than the table states");
  }

  std::optional<std::size_t> column_of_metric() const {
    const std::string metric = slug(claim_.text("metric"));
    if (metric.empty()) return std::nullopt;
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      if (slug(table_.columns[c].key).starts_with(metric)) return c;
    }
    return std::nullopt;
  }

  // "before 4.022, after 4.018": the later value is the table's, and the words fit the direction.
  void check_before_after() {
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

  static Range range_of_plain(const PrintedNumber& number) {
    return {number.value - number.half_unit, number.value + number.half_unit};
  }

  const Table& table_;
  const Claim& claim_;
  const std::vector<Table>& tables_;
  AuditResult& result_;
};

}  // namespace

void check_claims(const Table& table, const std::vector<Table>& tables, AuditResult& result) {
  for (const Claim& claim : table.claims) ClaimChecker(table, claim, tables, result).check();
}

}  // namespace perfgate::audit
