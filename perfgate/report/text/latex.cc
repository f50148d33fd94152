// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/latex.h"

#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

// Letters in a row after which a line may break.
constexpr std::size_t kLongWord = 12;

std::string LatexCharacter(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '"':
      return "''";
    case '-':
      return "{-}";  // no dashes and no ligatures of several
    case '{':
    case '}':
    case '$':
    case '&':
    case '#':
    case '%':
    case '_':
      return {'\\', c};
    default:
      return {c};
  }
}

}  // namespace

std::string LatexText(std::string_view text) {
  std::string result;
  for (const char c : escaped_ascii(text)) result += LatexCharacter(c);
  return result;
}

std::string BreakableLatex(std::string_view text) {
  constexpr std::string_view kMarks = "/:,;<>()_=|.";
  std::string result;
  std::size_t unbroken = 0;
  for (const char c : escaped_ascii(text)) {
    result += LatexCharacter(c);
    unbroken = c == ' ' ? 0 : unbroken + 1;
    if (kMarks.find(c) == std::string_view::npos && unbroken < kLongWord) continue;
    result += "\\allowbreak{}";
    unbroken = 0;
  }
  return result;
}

}  // namespace perfgate::report
