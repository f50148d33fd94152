// SPDX-License-Identifier: Apache-2.0
// csv_report.h: verdicts as one line per case and metric, for spreadsheets and scripts.
#pragma once

#include <span>
#include <string>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// The first line names the columns. Numbers are whole, as in the verdict file; empty where there is
// none. Suites without a verdict have no lines.
std::string CsvReport(std::span<const ReportedSuite> suites);

}  // namespace perfgate::report
