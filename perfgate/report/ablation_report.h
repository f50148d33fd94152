// SPDX-License-Identifier: Apache-2.0
// ablation_report.h: what an ablation found, option by option, worst first inside each.
#pragma once

#include <string>

#include "perfgate/verdict/ablation/ablation.h"

namespace perfgate::report {

// For a terminal: every line has at most 100 columns.
std::string ablation_console_report(const Ablation& ablation);

// One table, names whole.
std::string ablation_markdown_report(const Ablation& ablation);

}  // namespace perfgate::report
