// SPDX-License-Identifier: Apache-2.0
// suite_section.h: one suite of a page, from its conclusion to the machine that it ran on.
#pragma once

#include <string>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// number: of the suite on its page, from 1. Its element has the id "s" and that number.
std::string SuiteSectionHtml(const ReportedSuite& suite, std::size_t number);

// "Exit 10, regression: ...", or what the suite is where it has no verdict. Not escaped.
std::string SuiteConclusion(const ReportedSuite& suite);

std::string_view SuiteTone(const ReportedSuite& suite);

}  // namespace perfgate::report
