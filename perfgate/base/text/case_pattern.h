// SPDX-License-Identifier: Apache-2.0
// case_pattern.h: regular expressions on names of cases, and names written so that they are one.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::inline base {

// A name as reports show it: ASCII, printable, and as a regular expression it finds the name. Signs
// that have a meaning there get a backslash, control characters and bytes that are not UTF-8 are
// \t, \n or \x1b, other characters beyond ASCII \u{e9}.
std::string NameAsPattern(std::string_view name);

// "\u{20ac}" for a well-formed character beyond ASCII.
std::string WrittenCharacter(std::string_view character);

// A regular expression (ECMAScript) with \u{e9}, which the standard's has not, as the character.
std::string ExpandedPattern(std::string_view pattern);

// Why a text is no regular expression: the library's reason, or a better one where a file name
// pattern was written.
std::string PatternProblem(std::string_view pattern, std::string_view reason);

}  // namespace perfgate::inline base
