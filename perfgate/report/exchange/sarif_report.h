// SPDX-License-Identifier: Apache-2.0
// sarif_report.h: findings of verdicts as SARIF 2.1.0, which code hosts show beside the diff.
#pragma once

#include <span>
#include <string>

#include "perfgate/report/exchange/source_lines.h"
#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// One run per verdict. A result stands at the line that registers its benchmark, where `sources`
// has it, else at line 1 of a file named as its suite, since code hosts demand one. version: of
// perfgate. Suites without a verdict are left out.
std::string SarifReport(std::span<const ReportedSuite> suites, const SourceLines& sources,
                        const std::string& version);

}  // namespace perfgate::report
