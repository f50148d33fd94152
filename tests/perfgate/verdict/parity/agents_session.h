// SPDX-License-Identifier: Apache-2.0
// agents_session.h: sessions of a baseline, a human and several agents, made from numbers.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate::synthetic {

inline constexpr double kHumanEffect = -0.3;  // of the human to the baseline, log

// One session of these cases, without rounds.
inline Session AgentsSession(const std::vector<std::string>& labels,
                             const std::vector<std::string>& cases) {
  Session session = empty_session(cases, {Metric{}});
  const ArmInfo arm = session.arms[0];
  session.arms.clear();
  std::vector<std::string> all = {"baseline", "human"};
  all.insert(all.end(), labels.begin(), labels.end());
  for (const std::string& label : all) {
    session.arms.push_back(arm);
    session.arms.back().label = label;
    session.arms.back().digest = "sha256:" + label;
  }
  session.policy.tolerance = 0.05;
  session.schedule.looks = {6, 10, 16, 24, 40};
  session.schedule.look_alpha.assign(5, 0);
  return session;
}

// A round of every case. effects: per agent, of it to the human, log; NaN: not measured.
inline void AddAgentsRound(const std::vector<double>& effects, double sd, Noise& noise,
                           Session& session) {
  add_round(session);
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    CaseRound& measured = session.rounds.back().cases.emplace_back();
    measured.case_index = c;
    auto& arms = measured.values.emplace_back();
    arms.emplace_back(kPairs, 1e-6 * std::exp(noise(0, sd)));
    arms.emplace_back(kPairs, 1e-6 * std::exp(noise(kHumanEffect, sd)));
    for (const double effect : effects) {
      arms.emplace_back(kPairs, 1e-6 * std::exp(kHumanEffect + effect + noise(0, sd)));
    }
  }
}

}  // namespace perfgate::synthetic
