// SPDX-License-Identifier: Apache-2.0
// reported_suite.h: what is known of one suite when several files about it are reported together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

struct ReportedSuite {
  std::string title;
  std::optional<SuiteVerdict> verdict{};
  std::optional<Session> session{};          // that the verdict was drawn from, or alone
  std::optional<Calibration> calibration{};  // of the suite: how far unchanged code seems to move
};

// A value and the name of its file.
template <class T>
struct FromFile {
  std::string file;
  T value;
};

struct ReportFiles {
  std::vector<FromFile<SuiteVerdict>> verdicts;
  std::vector<FromFile<Session>> sessions;
  std::vector<FromFile<Calibration>> calibrations;
};

// One suite per verdict, with the session of its `session_id` where that is among the files, then
// one per session that is left. A calibration goes to the suites of its name; one that fits none
// is a suite by itself. Titles are the names of the suites, else of the files, and differ.
std::vector<ReportedSuite> SuitesOf(ReportFiles files);

}  // namespace perfgate::report
