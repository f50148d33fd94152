// SPDX-License-Identifier: Apache-2.0
// table.h: aligned columns of ASCII text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::report {

struct Cell {
  std::string text;
  std::string_view color;  // an ANSI sequence around the text, empty for none
};

using Row = std::vector<Cell>;

// Spaces between two columns.
inline constexpr std::size_t kTableGap = 2;

enum class Align { kLeft, kRight };

// The text between the sequence and its end; the text alone where there is no colour.
std::string colored(std::string_view text, std::string_view color);

// Widths of the widest cell per column; rows may be shorter than the longest one.
std::vector<std::size_t> column_widths(const std::vector<Row>& rows);

// One line without trailing spaces: cells padded to the widths, two spaces between them, cut at
// `limit` columns.
std::string table_line(const Row& row, const std::vector<std::size_t>& widths,
                       const std::vector<Align>& align, std::size_t limit);

}  // namespace perfgate::report
