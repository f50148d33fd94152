// SPDX-License-Identifier: Apache-2.0
// parity.h: is an agent's version as fast as a human's? The executables of the baseline, the human
// and one or more agents measured in every round, files of results, or a recorded session.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct AgentArm {
  std::string label;  // empty: "agent" for the first, "agent2" for the second, ...
  std::string path;
};

inline constexpr std::size_t kMostAgents = 8;

struct ParityRequest {
  std::string baseline;  // the original state
  // Not empty: there is no baseline, for this reason. Agents are compared with the human alone: a
  // win or a loss stands, and nobody knows what a match is worth.
  std::string no_baseline{};
  std::string human;
  std::vector<AgentArm> agents;          // 1 to kMostAgents
  std::vector<std::string> arguments{};  // that every launch of every executable is given
  MeasureRequest measure;
  std::optional<double> margin;  // fraction; empty: the policy's tolerance, by default 5 %
  std::string primary;  // metric that decides; empty: by name, see verdict/parity/parity_verdict.h
  std::string metrics;  // files only: file that adds metrics
  std::vector<std::string> allow;  // files only: reasons that are overridden
};

struct ParityResult {
  ParityVerdict verdict;                // on the first agent
  std::vector<ParityVerdict> verdicts;  // one per agent, in the order of the request
  ParityTogether together;              // what the verdicts come to
  std::optional<Session> session;       // where executables were measured
};

// Measures all executables in one session, or compares files of results. An agent that fails, or
// that is the baseline's or the human's executable, loses its own verdict and leaves the others.
// Error(kUsage) for no agent, too many, or labels that are not different; otherwise as RunGate.
ParityResult RunParity(const ParityRequest& request, GateDisplay& display);

// The verdicts on a recorded session of the baseline, the human and one or more agents.
ParityResult JudgeParity(const std::string& session_file, const std::string& primary);

}  // namespace perfgate::gate
