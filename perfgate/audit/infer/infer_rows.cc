// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/infer_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

using Rows = std::vector<std::size_t>;

constexpr std::size_t kMostPairedRows = 24;

bool sums_up(const Naming& label) {
  return label.sum || label.mean || label.whole || label.extreme;
}

// "Mean latency" heads a row of measurements; "Mean", "Overall (a+b)" and "Total of all" do not
// name a quantity of their own unless it is another row.
std::vector<Rows> sources_for(const Table& table, std::size_t out) {
  std::vector<Rows> sources;
  const auto add = [&](Rows rows) {
    if (rows.size() >= 2 && std::find(sources.begin(), sources.end(), rows) == sources.end()) {
      sources.push_back(std::move(rows));
    }
  };
  Rows named;
  Rows others;
  Rows plain;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (row == out) continue;
    others.push_back(row);
    if (!sums_up(naming(row_label(table, row)))) plain.push_back(row);
    const std::vector<std::string> words = words_of(row_label(table, row));
    if (!words.empty() && named_in({words.begin(), words.end()}, row_label(table, out))) {
      named.push_back(row);
    }
  }
  add(named);
  add(plain);
  add(others);
  Rows before;
  for (std::size_t row = out; row-- > 0;) {
    if (sums_up(naming(row_label(table, row)))) break;
    before.insert(before.begin(), row);
  }
  add(before);
  Rows after;
  for (std::size_t row = out + 1; row < table.rows.size(); ++row) {
    if (sums_up(naming(row_label(table, row)))) break;
    after.push_back(row);
  }
  add(after);
  return sources;
}

// Scores and shares: plain fractions, the summary among them. Whatever sums up the other columns,
// this one was averaged, perhaps with weights.
bool is_averaged(const Table& table, const RowRelation& relation, std::size_t column) {
  const Cell& out = table.cell(relation.out, column);
  if (out.kind != CellKind::kNumber || out.number.integer) return false;
  if (!out.number.dimension.empty() && out.number.dimension != "%") return false;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const std::size_t row : relation.of) {
    const Cell& cell = table.cell(row, column);
    if (cell.kind != CellKind::kNumber) continue;
    least = std::min(least, middle(range_of(cell.number)));
    most = std::max(most, middle(range_of(cell.number)));
  }
  const double printed = middle(range_of(out.number));
  return printed >= least && printed <= most;
}

// A summary of ratios and percentages is rarely the same summary of the ratios.
bool may_combine(const Table& table, const RowRelation& relation, std::size_t column) {
  const Naming label = naming(table.columns[column].label);
  if (relation.op != RowOp::kSum) return true;
  return !label.ratio && !label.percent && !label.mean && !is_averaged(table, relation, column);
}

// One row sums up counts and averages scores, perhaps with the counts as weights.
bool is_the_other_summary(const Table& table, const RowRelation& relation, std::size_t column) {
  if (relation.op != RowOp::kSum && relation.op != RowOp::kMean) return false;
  if (holds_at(table, relation, column) != false) return false;
  RowRelation other = relation;
  other.op = relation.op == RowOp::kSum ? RowOp::kMean : RowOp::kSum;
  return holds_at(table, other, column) == true ||
         (relation.op == RowOp::kMean && is_weighted_mean(table, relation, column));
}

Support support_of_rows(const Table& table, const RowRelation& relation, Integers integers) {
  std::vector<Fit> fits;
  for (const std::size_t column : numeric_columns(table)) {
    if (!may_combine(table, relation, column) || !units_fit(table, relation, column) ||
        is_the_other_summary(table, relation, column)) {
      continue;
    }
    const std::optional<Range> allowed = allowed_at(table, relation, column, integers);
    if (!allowed) continue;
    bool all_equal = true;
    for (const std::size_t row : relation.of) {
      const Cell& cell = table.cell(row, column);
      const Cell& first = table.cell(relation.of.front(), column);
      all_equal = all_equal && cell.kind == CellKind::kNumber &&
                  touch(range_of(cell.number), range_of(first.number));
    }
    const Range printed = operand_range(table.cell(relation.out, column).number, integers);
    // Nothing follows from "the mean of 1, 1 and 1 is 1", or from a sum of zeros.
    const bool informative =
        relation.op == RowOp::kSum ? std::abs(middle(printed)) > width(printed) : !all_equal;
    fits.push_back({column, printed, *allowed, informative});
  }
  // Columns differ in unit and size: whether one fits another's operands means nothing.
  Support support;
  for (const Fit& fit : fits) {
    const Support one = support_of(std::span(&fit, 1));
    support.holds.insert(support.holds.end(), one.holds.begin(), one.holds.end());
    support.breaks.insert(support.breaks.end(), one.breaks.begin(), one.breaks.end());
    support.evidence += one.evidence;
  }
  return support;
}

std::vector<RowRelation> candidates_for_row(const Table& table, std::size_t out,
                                            const Naming& label) {
  std::vector<RowOp> ops;
  const std::vector<std::string> words = words_of(row_label(table, out));
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (label.sum || label.whole || !sums_up(label)) ops.push_back(RowOp::kSum);
  if (label.mean || label.whole || !sums_up(label)) ops.push_back(RowOp::kMean);
  if (has("geomean") || has("geometric") || label.mean) ops.push_back(RowOp::kGeometricMean);
  if (has("median")) ops.push_back(RowOp::kMedian);
  if (has("min") || has("minimum")) ops.push_back(RowOp::kMin);
  if (has("max") || has("maximum")) ops.push_back(RowOp::kMax);
  std::vector<RowRelation> result;
  for (const Rows& rows : sources_for(table, out)) {
    for (const RowOp op : ops) result.push_back({op, out, rows});
  }
  if (label.ratio || label.difference) {
    const std::size_t count = std::min(table.rows.size(), kMostPairedRows);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        if (a == b || a == out || b == out) continue;
        if (label.ratio) result.push_back({RowOp::kRatio, out, {a, b}});
        if (label.difference) result.push_back({RowOp::kDifference, out, {a, b}});
      }
    }
  }
  return result;
}

Named named_row(const Table& table, const RowRelation& relation, const Naming& label) {
  if (!sums_up(label) && !label.ratio && !label.difference) return Named::kNot;
  std::string names;
  for (const std::size_t row : relation.of) names += row_label(table, row) + " ";
  return !label.content.empty() && named_in(label.content, names) ? Named::kOperands
                                                                  : Named::kOperation;
}

// Named totals of counts are exact; so are totals that fit without any rounding in five columns.
Integers integers_of_rows(const Table& table, const RowRelation& relation) {
  constexpr std::size_t kEnough = 5;
  constexpr std::size_t kEnoughSmall = 3;
  if (relation.op != RowOp::kSum) return Integers::kRounded;
  const Support exact = support_of_rows(table, relation, Integers::kExact);
  const bool named = std::any_of(exact.holds.begin(), exact.holds.end(), [&](std::size_t column) {
    return is_count_label(table.columns[column].label);
  });
  const auto small = std::count_if(exact.holds.begin(), exact.holds.end(), [&](std::size_t column) {
    return std::any_of(relation.of.begin(), relation.of.end(),
                       [&](std::size_t row) { return is_small_count(table.cell(row, column)); });
  });
  const std::size_t enough =
      2 * static_cast<std::size_t>(small) >= exact.holds.size() ? kEnoughSmall : kEnough;
  return named || exact.holds.size() >= enough ? Integers::kExact : Integers::kRounded;
}

}  // namespace

std::vector<InferredRow> infer_row_relations(const Table& table) {
  std::vector<InferredRow> result;
  if (table.columns.empty() || table.rows.size() < 3 || table.rows.size() > kMostRows)
    return result;
  for (std::size_t out = 0; out < table.rows.size(); ++out) {
    const Naming label = naming(row_label(table, out));
    const bool named = sums_up(label) || label.ratio || label.difference;
    if (!named && out + 1 != table.rows.size()) continue;
    const std::vector<RowRelation> candidates = candidates_for_row(table, out, label);
    const InferredRow* best = nullptr;
    std::vector<InferredRow> tried;
    for (const RowRelation& candidate : candidates) {
      InferredRow one{candidate, Integers::kRounded, named_row(table, candidate, label), {}};
      one.integers = integers_of_rows(table, candidate);
      one.support = support_of_rows(table, candidate, one.integers);
      if (convincing(one.support, one.support.breaks.size(), candidates.size(), one.named)) {
        tried.push_back(std::move(one));
      }
    }
    for (const InferredRow& one : tried) {
      if (best == nullptr ||
          weight(one.support, 1, one.named) > weight(best->support, 1, best->named)) {
        best = &one;
      }
    }
    if (best == nullptr) continue;
    result.push_back(*best);
  }
  return result;
}

std::vector<std::vector<std::size_t>> summed_rows(const Table& table, std::size_t out) {
  return sources_for(table, out);
}

std::vector<RowRelation> named_row_ratios(const Table& table, std::size_t row) {
  const std::string label = row_label(table, row);
  const std::size_t slash = label.find('/');
  std::vector<RowRelation> result;
  if (slash == std::string::npos || table.rows.size() > kMostRows || !naming(label).ratio)
    return result;
  const std::vector<std::string> first = words_of(label.substr(0, slash));
  const std::vector<std::string> second = words_of(label.substr(slash + 1));
  Rows over;
  Rows under;
  for (std::size_t other = 0; other < table.rows.size(); ++other) {
    if (other == row) continue;
    if (mentions(row_label(table, other), first.back())) over.push_back(other);
    if (mentions(row_label(table, other), second.front())) under.push_back(other);
  }
  // A name that fits many rows names none of them.
  constexpr std::size_t kMostPairs = 12;
  if (over.size() * under.size() > kMostPairs) return result;
  for (const std::size_t a : over) {
    for (const std::size_t b : under) {
      if (a != b) result.push_back({RowOp::kRatio, row, {a, b}});
    }
  }
  return result;
}

}  // namespace perfgate::audit
