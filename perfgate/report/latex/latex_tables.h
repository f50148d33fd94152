// SPDX-License-Identifier: Apache-2.0
// latex_tables.h: verdicts, sessions and calibrations as tabulars. Long ones are several.
#pragma once

#include <string>

#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// Nothing for a verdict without cases.
std::string VerdictLatex(const SuiteVerdict& verdict);

std::string SessionLatex(const Session& session);

std::string CalibrationLatex(const Calibration& calibration);

// The shares of stages in cases that report them.
std::string StagesLatex(const SuiteVerdict& verdict);

}  // namespace perfgate::report
