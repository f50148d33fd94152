// SPDX-License-Identifier: Apache-2.0
// row_relation.h: rows that follow from other rows: totals, means, ratios of two.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/audit/infer/relation.h"

namespace perfgate::audit {

enum class RowOp { kSum, kMean, kGeometricMean, kMedian, kMin, kMax, kRatio, kDifference };

// Row `out` is `op` of the rows `of`, column by column. kRatio and kDifference have two.
struct RowRelation {
  RowOp op = RowOp::kSum;
  std::size_t out = 0;
  std::vector<std::size_t> of;
};

std::optional<Range> allowed_at(const Table& table, const RowRelation& relation, std::size_t column,
                                Integers integers = Integers::kRounded);
bool units_fit(const Table& table, const RowRelation& relation, std::size_t column);
std::optional<bool> holds_at(const Table& table, const RowRelation& relation, std::size_t column,
                             Integers integers = Integers::kRounded);

// Whether another column, as the weights, makes the cell a mean of the rows.
bool is_weighted_mean(const Table& table, const RowRelation& relation, std::size_t column);

// "total = sum of 5 rows".
std::string formula(const Table& table, const RowRelation& relation);

}  // namespace perfgate::audit
