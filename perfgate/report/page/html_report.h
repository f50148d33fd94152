// SPDX-License-Identifier: Apache-2.0
// html_report.h: suites as one page that needs nothing else: no scripts, no fonts, no pictures from
// elsewhere. Light, dark and printed; from 400 pixels on.
#pragma once

#include <span>
#include <string>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// title: of the page; empty: the names of the suites.
std::string HtmlReport(std::span<const ReportedSuite> suites, const std::string& title = "");

}  // namespace perfgate::report
