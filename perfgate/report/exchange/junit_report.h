// SPDX-License-Identifier: Apache-2.0
// junit_report.h: verdicts as JUnit XML, which CI servers show as tests.
#pragma once

#include <span>
#include <string>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// One test suite per verdict, one test per case and metric. A case that fails the gate is a failure
// (regression, missing, suspected, inconclusive) or an error (invalid, failed, not comparable); a
// skipped or new one is skipped; the rest passes, and its claim sentences are the output of the
// suite. Where the gate fails and no case says why, a test named after the suite does. The time of
// a test is that of one iteration of the candidate. Suites without a verdict are left out.
std::string JunitReport(std::span<const ReportedSuite> suites);

}  // namespace perfgate::report
