// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/infer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

struct Tried {
  Inferred inferred;
  double weight = 0;
};

// "a + 0", "a / 1", "a / a", "the mean of a and a": such rows fit whatever the relation is.
bool informative(const Table& table, const Relation& relation, std::size_t row, Range allowed) {
  std::vector<Range> operands;
  for (const std::size_t column : relation.args) {
    operands.push_back(range_of(table.cell(row, column).number));
  }
  if (refers_to_row(relation.op)) {
    if (row == relation.row) return false;
    operands.push_back(range_of(table.cell(relation.row, relation.args[0]).number));
  }
  if (operands.size() < 2) return true;
  const bool equal = std::all_of(operands.begin(), operands.end(),
                                 [&](Range operand) { return touch(operand, operands.front()); });
  if (equal && relation.op != Op::kSum && relation.op != Op::kProduct) return false;
  const Range unit{1, 1};
  if ((relation.op == Op::kRatio || relation.op == Op::kProduct) &&
      (touch(operands.back(), unit) ||
       (relation.op == Op::kProduct && touch(operands.front(), unit)))) {
    return false;
  }
  const bool additive = relation.op == Op::kSum || relation.op == Op::kDifference ||
                        relation.op == Op::kMean || relation.op == Op::kDifferenceToRow;
  return !additive || std::none_of(operands.begin(), operands.end(), [&](Range operand) {
    return std::abs(middle(operand)) <= width(allowed);
  });
}

Support support_in(const Table& table, const Relation& relation, Integers integers) {
  constexpr std::size_t kPatience = 40;
  std::vector<Fit> fits;
  std::size_t broken = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (!units_fit(table, relation, row)) continue;
    const std::optional<Range> allowed = allowed_at(table, relation, row, integers);
    if (!allowed) continue;
    const bool holds = touch(range_of(table.cell(row, relation.out).number), *allowed);
    broken += holds ? 0 : 1;
    // Nearly all candidates are nothing at all, and a long table need not be read to its end to see
    // that; short ones may have groups of rows with a baseline each.
    if (broken > kPatience && broken > (fits.size() + 1) / 2) return {{}, {row}, 0};
    fits.push_back({row, operand_range(table.cell(row, relation.out).number, integers), *allowed,
                    informative(table, relation, row, *allowed)});
  }
  return support_of(fits);
}

Op counterpart(Op op) {
  switch (op) {
    case Op::kRatio:
      return Op::kDifference;
    case Op::kDifference:
      return Op::kRatio;
    default:
      return op;
  }
}

// Rows that break the relation but hold the reversed one, or its difference where the others are
// ratios.
void explain_by_other_operation(const Table& table, Inferred& found) {
  if (found.relation.args.size() != 2) return;
  Relation reversed = found.relation;
  std::swap(reversed.args[0], reversed.args[1]);
  const bool symmetric = found.relation.op == Op::kSum || found.relation.op == Op::kMean ||
                         found.relation.op == Op::kProduct;
  std::vector<std::size_t> left;
  for (const std::size_t row : found.broken) {
    bool explained = false;
    for (const bool turned : {false, true}) {
      for (const Op op : {found.relation.op, counterpart(found.relation.op)}) {
        if (symmetric || explained || (op == found.relation.op && !turned)) continue;
        Relation other = turned ? reversed : found.relation;
        other.op = op;
        if (!units_fit(table, other, row) || holds_at(table, other, row) != true) continue;
        if (!informative(table, other, row, *allowed_at(table, other, row))) continue;
        found.other.push_back({row, op, turned});
        explained = true;
      }
    }
    if (!explained) left.push_back(row);
  }
  found.broken = left;
}

// Groups of rows with a baseline each: a break is explained where another relation of the same
// column holds in at least two of the broken rows.
void explain_by_groups(const std::vector<Tried>& tried, Inferred& found) {
  for (const Tried& other : tried) {
    if (found.broken.size() < 2) return;
    std::vector<std::size_t> shared;
    std::set_intersection(found.broken.begin(), found.broken.end(),
                          other.inferred.support.holds.begin(), other.inferred.support.holds.end(),
                          std::back_inserter(shared));
    if (shared.size() < 2 || other.inferred.support.evidence < 2) continue;
    std::vector<std::size_t> left;
    std::set_difference(found.broken.begin(), found.broken.end(), shared.begin(), shared.end(),
                        std::back_inserter(left));
    found.broken = left;
  }
}

// Unrounded counts: known by their names, or because five rows fit without any rounding, or three
// whose numbers are small.
Integers integers_of(const Table& table, const Relation& relation, const Support& rounded) {
  const Support exact = support_in(table, relation, Integers::kExact);
  if (exact.holds.empty() || exact.evidence == rounded.evidence) return Integers::kRounded;
  constexpr std::size_t kEnough = 5;
  constexpr std::size_t kEnoughSmall = 3;
  bool named = is_count_label(table.columns[relation.out].label);
  for (const std::size_t column : relation.args) {
    named = named && is_count_label(table.columns[column].label);
  }
  const auto small = std::count_if(exact.holds.begin(), exact.holds.end(), [&](std::size_t row) {
    return std::any_of(relation.args.begin(), relation.args.end(),
                       [&](std::size_t column) { return is_small_count(table.cell(row, column)); });
  });
  const std::size_t enough =
      2 * static_cast<std::size_t>(small) >= exact.holds.size() ? kEnoughSmall : kEnough;
  const bool data = exact.holds.size() >= enough && exact.breaks.size() <= 1;
  return named || data ? Integers::kExact : Integers::kRounded;
}

std::optional<Tried> best_of(const Table& table, const std::vector<Relation>& candidates,
                             bool across) {
  std::vector<Tried> tried;
  std::size_t applicable = 0;  // candidates whose units fit somewhere
  for (const Relation& candidate : candidates) {
    Tried one;
    one.inferred.relation = candidate;
    one.inferred.support = support_in(table, candidate, Integers::kRounded);
    if (one.inferred.support.holds.empty() && one.inferred.support.breaks.empty()) continue;
    ++applicable;
    if (one.inferred.support.holds.empty()) continue;
    one.inferred.named = named_by_label(table, candidate);
    if (across && one.inferred.named == Named::kOperation) one.inferred.named = Named::kNot;
    one.weight = weight(one.inferred.support, 1, one.inferred.named);
    tried.push_back(std::move(one));
  }
  std::stable_sort(tried.begin(), tried.end(),
                   [](const Tried& a, const Tried& b) { return a.weight > b.weight; });
  for (Tried& one : tried) {
    Inferred& found = one.inferred;
    if (found.relation.op == Op::kSum || is_percent(found.relation.op)) {
      found.integers = integers_of(table, found.relation, found.support);
      found.support = support_in(table, found.relation, found.integers);
    }
    found.broken = found.support.breaks;
    explain_by_other_operation(table, found);
    explain_by_groups(tried, found);
    if (convincing(found.support, found.broken.size(), applicable, found.named)) return one;
  }
  return std::nullopt;
}

std::set<std::size_t> columns_of(const Relation& relation) {
  std::set<std::size_t> columns(relation.args.begin(), relation.args.end());
  columns.insert(relation.out);
  return columns;
}

}  // namespace

std::vector<Inferred> infer_relations(const Table& table, const Search& search) {
  // Columns that were chosen have been counted where they were chosen.
  const std::vector<std::size_t> numeric =
      numeric_columns(table, search.outs.empty() ? kMostColumns : table.columns.size());
  std::vector<Tried> found;
  for (const std::size_t out : numeric) {
    if (!search.outs.empty() &&
        std::find(search.outs.begin(), search.outs.end(), out) == search.outs.end()) {
      continue;
    }
    std::vector<std::size_t> operands;
    for (const std::size_t column : numeric) {
      const bool wanted = search.operands.empty() ||
                          std::find(search.operands.begin(), search.operands.end(), column) !=
                              search.operands.end();
      if (column != out && wanted) operands.push_back(column);
    }
    const std::vector<Relation> candidates = candidates_for(table, out, operands, search.across);
    if (std::optional<Tried> best = best_of(table, candidates, search.across))
      found.push_back(*best);
  }
  // "c = a + b", "b = c - a" and "a = c - b" are one relation: the label decides which column is
  // the derived one, else the rightmost.
  std::stable_sort(found.begin(), found.end(), [](const Tried& a, const Tried& b) {
    if (a.inferred.named != b.inferred.named) return a.inferred.named > b.inferred.named;
    return a.inferred.relation.out > b.inferred.relation.out;
  });
  std::vector<Inferred> result;
  std::set<std::set<std::size_t>> seen;
  for (Tried& one : found) {
    if (seen.insert(columns_of(one.inferred.relation)).second) {
      result.push_back(std::move(one.inferred));
    }
  }
  return result;
}

}  // namespace perfgate::audit
