// SPDX-License-Identifier: Apache-2.0
// calibration_report.h: a calibration and what follows from it: the noise of every case in its
// parts, the gate's false alarms, what it can find, and how its rounds should be made up.
#pragma once

#include <string>

#include "perfgate/evidence/calibration.h"
#include "perfgate/report/console/console_report.h"
#include "perfgate/verdict/planning/noise_analysis.h"

namespace perfgate::report {

// At most 100 columns, noisiest case first. analysis: of the same calibration.
std::string calibration_console_report(const Calibration& calibration,
                                       const NoiseAnalysis& analysis,
                                       const ConsoleOptions& options = {});

std::string calibration_markdown_report(const Calibration& calibration,
                                        const NoiseAnalysis& analysis);

}  // namespace perfgate::report
