// SPDX-License-Identifier: Apache-2.0
// parity.h: is an agent's version as fast as a human's? Three executables measured in every round,
// three files of results, or a recorded session.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct ParityRequest {
  std::string baseline;  // the original state
  std::string human;
  std::string agent;
  std::vector<std::string> arguments{};  // that every launch of every executable is given
  MeasureRequest measure;
  std::optional<double> margin;  // fraction; empty: the policy's tolerance, by default 5 %
  std::string primary;  // metric that decides; empty: by name, see verdict/parity/parity_verdict.h
  std::string metrics;  // files only: file that adds metrics
  std::vector<std::string> allow;  // files only: reasons that are overridden
};

struct ParityResult {
  ParityVerdict verdict;
  std::optional<Session> session;  // where executables were measured
};

// Measures three executables, or compares three files of results. Errors as RunGate.
ParityResult RunParity(const ParityRequest& request, GateDisplay& display);

// The verdict on a recorded session of three arms.
ParityResult JudgeParity(const std::string& session_file, const std::string& primary);

}  // namespace perfgate::gate
