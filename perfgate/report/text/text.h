// SPDX-License-Identifier: Apache-2.0
// text.h: text from elsewhere (names, paths, reasons) made safe to print, and fitted to a width.
//
// Console text is ASCII: a character that is not is shown as an escape, so that a name can neither
// move the cursor nor break a column, and widths are byte counts in every terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::report {

// Every line of a console report fits this many columns, but for tables with the times of both
// arms: those leave a name 32 of theirs.
inline constexpr std::size_t kConsoleWidth = 100;
inline constexpr std::size_t kWideTable = 120;

// Tab as \t, newline as \n, other control characters and bytes that are not UTF-8 as \x1b, other
// characters beyond ASCII as \u{e9}, the backslash as two.
std::string escaped_ascii(std::string_view text);

// Control characters and bad bytes as above; other UTF-8 stays.
std::string escaped_controls(std::string_view text);

// Longer texts lose their middle to "..."; `head` is the share kept of the front. The result has at
// most `width` columns. ASCII only.
std::string shortened(std::string_view text, std::size_t width, double head = 0.5);

// Shortens names of cases so that they can still be told apart. Of "family/key:value/..." first the
// parts go that every name of the family shares, then what follows the family; names that would
// become equal lose another stretch instead.
std::vector<std::string> shortened_names(const std::vector<std::string>& names, std::size_t width);

// Breaks at spaces into lines of at most `width` columns; longer words are cut. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace perfgate::report
