// SPDX-License-Identifier: Apache-2.0
// page_parts.h: pieces of HTML that sections of a page share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/figures/suite_figures.h"
#include "perfgate/report/parts/context_lines.h"

namespace perfgate::report {

// "<p class="soft">text</p>", escaped.
std::string ElementOf(std::string_view element, std::string_view text,
                      std::string_view of_class = "");

// Text from elsewhere as a piece of its own direction.
std::string IsolatedText(std::string_view text);

// The same of the name of a case, whose lines may break after a slash.
std::string NameHtml(std::string_view name);

// The class of a verdict's colour: "bad", "open", "good" or "none".
std::string_view ToneOf(Verdict verdict);
std::string_view ToneOf(Exit exit);

std::string FiguresHtml(const std::vector<Figure>& figures);

// A list of labels and values.
std::string FactsHtml(std::span<const Fact> facts);

// Which cells of a table are numbers, and which are names.
enum class CellKind { kText, kNumber, kName };

struct PlainTable {
  std::vector<std::string> header;
  std::vector<CellKind> kinds;
  std::vector<std::vector<std::string>> rows;  // not escaped
};

// On narrow screens every row becomes a block.
std::string PlainTableHtml(const PlainTable& table);

}  // namespace perfgate::report
