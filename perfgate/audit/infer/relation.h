// SPDX-License-Identifier: Apache-2.0
// relation.h: how a printed cell follows from other printed cells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/audit/read/table.h"

namespace perfgate::audit {

enum class Op {
  // of columns, within one row
  kSum,
  kDifference,  // first - second
  kRatio,       // first / second
  kMean,
  kProduct,
  kPercentOf,      // 100 first / second
  kPercentChange,  // 100 (first - second) / second
  kPercentSaved,   // 100 (second - first) / second
  // of one column, against one of its rows
  kRatioToRow,          // own / row
  kRowToRatio,          // row / own
  kDifferenceToRow,     // own - row
  kPercentOfRow,        // 100 own / row
  kPercentChangeToRow,  // 100 (own - row) / row
  kPercentSavedToRow,   // 100 (row - own) / row
  // of one column, against all rows
  kPercentOfColumn,  // 100 own / sum of the column
};

struct Relation {
  Op op = Op::kSum;
  std::size_t out = 0;            // column that is derived
  std::vector<std::size_t> args;  // columns
  std::size_t row = 0;            // the row referred to, where there is one
};

bool refers_to_row(Op op);
// Whether the result is a share or change in percent.
bool is_percent(Op op);

// How to read operands without unit and decimals.
enum class Integers { kRounded, kExact };

// Whether the units of the operands give the unit of the result: times add up to a time, a time
// over a time is a plain number. False where a cell is not a number.
bool units_fit(const Table& table, const Relation& relation, std::size_t row);

// What the operands allow for the derived cell, in base units before its own rounding. No value
// where an operand is not a plain number or a divisor may be zero.
std::optional<Range> allowed_at(const Table& table, const Relation& relation, std::size_t row,
                                Integers integers = Integers::kRounded);

// The cell's own range, half a unit around what is printed.
Range printed_range(const Cell& cell);

// Whether the printed cell lies within what the operands allow. No value where either is missing.
std::optional<bool> holds_at(const Table& table, const Relation& relation, std::size_t row,
                             Integers integers = Integers::kRounded);

// The operand as it counts in arithmetic.
Range operand_range(const PrintedNumber& number, Integers integers);

// "Speedup = GPU Convert Off / GPU Convert On".
std::string formula(const Table& table, const Relation& relation);
// The same with the numbers of one row: "1116.567 / 238.740".
std::string with_numbers(const Table& table, const Relation& relation, std::size_t row);

}  // namespace perfgate::audit
