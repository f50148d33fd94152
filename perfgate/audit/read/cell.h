// SPDX-License-Identifier: Apache-2.0
// cell.h: what one cell of a published table says.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/audit/read/range.h"

namespace perfgate::audit {

// A number as it was printed. Times and sizes are brought to seconds and bytes, so that "1.2 s" and
// "800 ms" add up; every other unit is only compared by its text.
struct PrintedNumber {
  double value = 0;       // as printed, in its own unit
  double half_unit = 0;   // half a unit of the last printed digit
  double scale = 1;       // own unit in base units
  std::string unit;       // as printed, empty for none
  std::string dimension;  // "s", "B", or the unit itself
  bool signed_plus = false;
  bool integer = false;      // no decimal point, no exponent
  bool approximate = false;  // "~5"
};

// What the number can have been before it was rounded, in base units.
Range range_of(const PrintedNumber& number);
// The number taken at its word, in base units: a count.
Range exact_of(const PrintedNumber& number);

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
Cell parse_cell(std::string_view text);

// Gives a unit from the column's header to numbers that have none.
void adopt_unit(Cell& cell, std::string_view unit);

// A number and nothing else: "19.3 ms". False where the text is not one.
bool parse_printed_number(std::string_view text, PrintedNumber& number);

// "4.677x": the value with as many decimals as fit its range, for explanations.
std::string number_text(double value, double half_unit);

// The range that was allowed for a cell, in the cell's own unit: "4.676 to 4.678".
std::string range_text(Range allowed, const PrintedNumber& printed);

}  // namespace perfgate::audit
