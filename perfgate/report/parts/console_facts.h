// SPDX-License-Identifier: Apache-2.0
// console_facts.h: sentences and labelled facts on as many console lines as they need.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {

// ASCII only, at most `width` columns a line.
std::string paragraph(std::string_view text, std::size_t width = kConsoleWidth);

// "Machine   Example 9000, ...": the label once, the value wrapped beside it. ASCII only.
std::string fact_lines(std::string label, std::string_view value,
                       std::size_t width = kConsoleWidth);

// The same for each fact, values escaped.
std::string fact_list(std::span<const Fact> facts, std::size_t width = kConsoleWidth);

}  // namespace perfgate::report
