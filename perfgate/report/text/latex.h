// SPDX-License-Identifier: Apache-2.0
// latex.h: text from elsewhere inside LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::report {

// ASCII with the characters escaped that mean something to LaTeX; others as \u{e9}.
std::string LatexText(std::string_view text);

// The same with places where a line may break: after marks such as "/" and ":", and in long words.
std::string BreakableLatex(std::string_view text);

}  // namespace perfgate::report
