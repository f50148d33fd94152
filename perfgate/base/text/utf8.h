// SPDX-License-Identifier: Apache-2.0
// utf8.h: stepping through text that should be UTF-8 but may be anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfgate::inline base {

// Length in bytes (1 to 4) of the well-formed UTF-8 character at `at` (Unicode 15, table 3-7: no
// overlong forms, no surrogates, nothing above U+10FFFF); 0 where there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

// How many bytes at the end of `text` (0 to 3) are the start of a character whose rest may follow.
std::size_t PartialUtf8(std::string_view text);

// The text with every byte that is not part of a well-formed character replaced by U+FFFD.
std::string well_formed_utf8(std::string_view text);

}  // namespace perfgate::inline base
