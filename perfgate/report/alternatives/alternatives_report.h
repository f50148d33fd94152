// SPDX-License-Identifier: Apache-2.0
// alternatives_report.h: a comparison of alternatives for a terminal or Markdown: per case a line
// for every alternative with its time, its speed-up over the reference and its rank, then the
// geometric means, and per series a table of times over the sizes.
#pragma once

#include <string>

#include "perfgate/evidence/alternatives.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

// At most 100 columns.
std::string alternatives_console_report(const AlternativesVerdict& verdict,
                                        const ConsoleOptions& options = {});

std::string alternatives_markdown_report(const AlternativesVerdict& verdict);

}  // namespace perfgate::report
