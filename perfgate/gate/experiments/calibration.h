// SPDX-License-Identifier: Apache-2.0
// calibration.h: an executable against itself for a fixed number of rounds: what this machine's
// noise does to the suite, and to the gate.
#pragma once

#include <optional>
#include <string>

#include "perfgate/evidence/calibration.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct CalibrationRequest {
  std::string executable;
  // measure.policy is the gate's, whose budget and rounds stay the gate's: how long to calibrate is
  // said here.
  MeasureRequest measure;
  double budget_s = 120;
  std::optional<int> rounds;
};

// The session of the calibration. Every round is measured in full. Error(kUsage) where the budget
// is too short for 6 rounds.
Session MeasureCalibration(const CalibrationRequest& request, GateDisplay& display);

struct CalibrationResult {
  Calibration calibration;
  Exit exit = Exit::kInternal;
};

// What the session says. An Error whose exit and text say why where it says too little.
CalibrationResult JudgeCalibration(const CalibrationRequest& request, const Session& session);

}  // namespace perfgate::gate
