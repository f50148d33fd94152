// SPDX-License-Identifier: Apache-2.0
// json_report.h: a report as one JSON document: per suite the exit, the geometric means, the
// command and every case with its claim sentence. docs/schema/report.schema.json describes it.
#pragma once

#include <span>
#include <string>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

inline constexpr int kReportVersion = 1;

// Suites without a verdict have "exit" null and no cases.
std::string JsonReport(std::span<const ReportedSuite> suites);

}  // namespace perfgate::report
