// SPDX-License-Identifier: Apache-2.0
// cell.h: what one cell of a published table says.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/audit/read/printed_number.h"

namespace perfgate::audit {

enum class CellKind { kEmpty, kText, kNumber, kInterval, kCounts, kInfinite, kFlag };

struct Cell {
  std::string text;
  CellKind kind = CellKind::kEmpty;
  PrintedNumber number;                   // kNumber
  bool has_stdev = false;                 // "12.0 +/- 0.5"
  PrintedNumber stdev;                    //
  bool has_interval = false;              // "12.0 [11.2, 12.7]"
  PrintedNumber low, high;                // kInterval, has_interval
  double wins = 0, losses = 0, ties = 0;  // kCounts: "3/0/0"
};

// Understands "19.3 ms", "12.0 [11.2, 12.7] ms", "19.3 (best)", "19.3*", "+2.197 ms", "1,234.5",
// "4.677x", "12.5 %", "1.2e-3", "~5", "12 +/- 3 ms",
// "[1.0, 2.0] ms", "3/0/0", "-", "n/a", "inf", "true"; anything else is text. Never throws.
Cell parse_cell(std::string_view raw);

// Gives a unit from the column's header to numbers that have none.
void adopt_unit(Cell& cell, std::string_view unit);

}  // namespace perfgate::audit
