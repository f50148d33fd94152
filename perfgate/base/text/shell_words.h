// SPDX-License-Identifier: Apache-2.0
// shell_words.h: a command line as words, as a POSIX shell splits it, without a shell.
//
// Blanks separate; '...' keeps everything, "..." everything but \" and \\, and \ the next
// character. Nothing is expanded: $, *, ~, ; and | are characters like any other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::inline base {

// what: the option that the text stands in, for messages. Error(kUsage) for a quote that is not
// closed and a backslash at the end.
std::vector<std::string> SplitShellWords(std::string_view text, const std::string& what);

// One word such that a shell, and SplitShellWords(), gives it back: quoted where it must be.
std::string ShellWord(const std::string& word);

// Words as one line to type.
std::string ShellLine(const std::vector<std::string>& words);

}  // namespace perfgate::inline base
