// SPDX-License-Identifier: Apache-2.0
// host_notes.h: findings of verdicts as two code hosts take them: workflow commands of GitHub,
// which become annotations, and a Code Quality report of GitLab.
#pragma once

#include <span>
#include <string>

#include "perfgate/report/exchange/source_lines.h"
#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// GitHub keeps so many annotations of a kind per step.
inline constexpr std::size_t kMostAnnotations = 10;

// One line per finding, errors first, at most kMostAnnotations of a kind and a notice that counts
// the others. Only newlines of this text start a command, whatever names contain.
std::string GithubReport(std::span<const ReportedSuite> suites, const SourceLines& sources);

// A JSON list. A finding without a line in `sources` is placed at line 1 of a file named as its
// suite, since the format demands one.
std::string GitlabReport(std::span<const ReportedSuite> suites, const SourceLines& sources);

}  // namespace perfgate::report
