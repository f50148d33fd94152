// SPDX-License-Identifier: Apache-2.0
// report_files.h: the files that `perfgate report` was given, read and told apart.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/alternatives.h"
#include "perfgate/evidence/parity.h"
#include "perfgate/evidence/plan.h"
#include "perfgate/report/suites/reported_suite.h"
#include "perfgate/verdict/verdict_file.h"

namespace perfgate::cli {

struct ReportRequest {
  std::vector<std::string> files{};
  bool decide = false;  // session files anew
  std::string metrics{};
  std::string key{};
  VerdictAsked asked{};
};

struct ReportedFiles {
  report::ReportFiles suites;
  std::vector<ParityAgents> parities;
  std::vector<AlternativesVerdict> comparisons;
  std::vector<SuitePlan> plans;
};

// Error(kData) for files that no report shows, Error(kInvalid) for what cannot be trusted.
ReportedFiles ReadReportedFiles(const ReportRequest& request);

}  // namespace perfgate::cli
