// SPDX-License-Identifier: Apache-2.0
// markdown.h: text from elsewhere inside GitHub-flavoured Markdown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/text/table.h"

namespace perfgate::report {

// Literal text for a table cell or a paragraph: pipes, markup and HTML escaped, one line.
std::string markdown_text(std::string_view text);

// A code span that holds the text whatever it contains, pipes escaped for tables.
std::string markdown_code(std::string_view text);

// "| a | b |\n"; cells are taken as they are.
std::string markdown_row(const std::vector<std::string>& cells);

// Header and its rule. Columns for which no alignment is given are left-aligned.
std::string markdown_header(const std::vector<std::string>& cells, const std::vector<Align>& align);

// A folded block with one list item per fact.
std::string markdown_details(std::string_view summary, std::span<const Fact> facts);

// "A", "B", ..., "Z", "AA": names of the files that stand side by side.
std::string block_name(std::size_t index);

}  // namespace perfgate::report
