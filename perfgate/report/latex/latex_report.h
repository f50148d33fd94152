// SPDX-License-Identifier: Apache-2.0
// latex_report.h: suites as tables, figures and claim sentences for a paper.
#pragma once

#include <span>
#include <string>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// A fragment for \input: tabulars, TikZ figures and sentences, ASCII throughout. It needs the
// package tikz and nothing else, and its first lines say so.
std::string LatexReport(std::span<const ReportedSuite> suites);

// A document of class article around a file of such a fragment.
std::string LatexDocument(const std::string& fragment_file);

}  // namespace perfgate::report
