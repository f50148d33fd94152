// SPDX-License-Identifier: Apache-2.0
// printed_number.h: a number with its unit as a table prints it.
#pragma once

#include <cstddef>
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

// A number and nothing else: "19.3 ms". False where the text is not one.
bool parse_printed_number(std::string_view text, PrintedNumber& number);

// "4.677x": the value with as many decimals as fit its range, for explanations.
std::string number_text(double value, double half_unit);

// The range that was allowed for a cell, in the cell's own unit: "4.676 to 4.678".
std::string range_text(Range allowed, const PrintedNumber& printed);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Units have no digits in front and are short; "19 of 20" is no number with the unit "of 20".
bool unit_like(std::string_view text);

void set_unit(PrintedNumber& number, std::string_view unit);

}  // namespace perfgate::audit
