// SPDX-License-Identifier: Apache-2.0
// candidates.h: the relations that are worth trying for a column, and what labels say about them.
#pragma once

#include <vector>

#include "perfgate/audit/infer/relation.h"
#include "perfgate/audit/infer/support.h"

namespace perfgate::audit {

// Searching for relations takes time in the cube of the columns and the square of the rows. Beyond
// these, an audit says that it has not searched.
inline constexpr std::size_t kMostColumns = 24;
inline constexpr std::size_t kMostRows = 500;

// Columns with at least one number, at most the first kMostColumns.
std::vector<std::size_t> numeric_columns(const Table& table, std::size_t most = kMostColumns);

// Relations with `out` as the result and only `operands` as operands.
std::vector<Relation> candidates_for(const Table& table, std::size_t out,
                                     const std::vector<std::size_t>& operands, bool copies);

// Whether the label of the derived column names the operation, and the operands.
Named named_by_label(const Table& table, const Relation& relation);

// A whole number of one digit: measurements are printed with more.
bool is_small_count(const Cell& cell);

// Whether a column holds ratios, by its label or by cells such as "1.5x".
bool is_ratio_column(const Table& table, std::size_t column);

// "Passed", "errors", "n": whole things, not rounded measurements.
bool is_count_label(const std::string& label);

}  // namespace perfgate::audit
