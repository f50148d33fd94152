// SPDX-License-Identifier: Apache-2.0
// case_table.h: a table with one line per case. Names are never cut: what all of them share is told
// once above the table, and one that is still too long stands above its numbers. Notes that do not
// fit stand below under a number.
#pragma once

#include <string>
#include <vector>

#include "perfgate/report/text/table.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {

// rows[0] is the header. Column 0 holds the names of the cases, escaped and whole; they have what
// the other columns leave of `width`. notes: one per row after the header, ASCII, may be empty:
// each goes into a last column of its own where all of them fit, else below the table as "[1] ...",
// equal ones once.
std::string case_table(std::vector<Row> rows, const std::vector<Align>& align,
                       const std::vector<std::string>& notes, std::size_t width = kConsoleWidth);

}  // namespace perfgate::report
