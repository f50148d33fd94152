// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/suites/reported_suite.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace perfgate::report {
namespace {

std::string TitleOf(const std::string& suite, const std::string& file) {
  return suite.empty() ? std::filesystem::path(file).filename().string() : suite;
}

std::string SuiteName(const ReportedSuite& suite) {
  if (suite.verdict) return suite.verdict->suite;
  if (suite.session) return suite.session->suite;
  return suite.calibration ? suite.calibration->suite : "";
}

// The second "sort" becomes "sort (2)".
void MakeTitlesDiffer(std::vector<ReportedSuite>& suites) {
  std::set<std::string> taken;
  for (ReportedSuite& suite : suites) {
    const std::string wanted = suite.title;
    for (int number = 2; !taken.insert(suite.title).second; ++number) {
      suite.title = wanted + " (" + std::to_string(number) + ")";
    }
  }
}

void AddCalibration(FromFile<Calibration> calibration, std::vector<ReportedSuite>& suites) {
  bool fits = false;
  for (ReportedSuite& suite : suites) {
    const bool same = SuiteName(suite) == calibration.value.suite && !suite.calibration;
    if (!same) continue;
    suite.calibration = calibration.value;
    fits = true;
  }
  if (fits) return;
  suites.push_back({.title = TitleOf(calibration.value.suite, calibration.file),
                    .calibration = std::move(calibration.value)});
}

}  // namespace

std::vector<ReportedSuite> SuitesOf(ReportFiles files) {
  std::vector<ReportedSuite> suites;
  for (FromFile<SuiteVerdict>& verdict : files.verdicts) {
    suites.push_back(
        {.title = TitleOf(verdict.value.suite, verdict.file), .verdict = std::move(verdict.value)});
  }
  for (FromFile<Session>& session : files.sessions) {
    const auto found = std::ranges::find_if(suites, [&](const ReportedSuite& suite) {
      return suite.verdict && !suite.session && suite.verdict->session_id == session.value.id;
    });
    if (found != suites.end()) {
      found->session = std::move(session.value);
    } else {
      suites.push_back({.title = TitleOf(session.value.suite, session.file),
                        .session = std::move(session.value)});
    }
  }
  for (FromFile<Calibration>& calibration : files.calibrations) {
    AddCalibration(std::move(calibration), suites);
  }
  MakeTitlesDiffer(suites);
  return suites;
}

}  // namespace perfgate::report
