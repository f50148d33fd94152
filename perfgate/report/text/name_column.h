// SPDX-License-Identifier: Apache-2.0
// name_column.h: a table whose names are never cut. A name that does not fit its column stands in a
// line of its own, above the numbers.
#pragma once

#include <string>
#include <vector>

#include "perfgate/report/text/table.h"

namespace perfgate::report {

// Where a name is longer than the room for it, all lose the parts that they share. rows[0] is the
// header; an empty name continues the case above. Says which parts went; empty where none did.
std::string ShareNameParts(std::vector<Row>& rows, std::size_t column, std::size_t room);

// Room for names: the longest name that fits `room`, at least `least`.
std::size_t NameColumnWidth(const std::vector<Row>& rows, std::size_t column, std::size_t room,
                            std::size_t least);

// One line as table_line(), or two where the name in this column is wider than it.
std::string NamedLine(const Row& row, std::size_t name_column,
                      const std::vector<std::size_t>& widths, const std::vector<Align>& align,
                      std::size_t limit);

}  // namespace perfgate::report
