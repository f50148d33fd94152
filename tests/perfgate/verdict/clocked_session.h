// SPDX-License-Identifier: Apache-2.0
// clocked_session.h: sessions of one case with both clocks of every slice, for tests of the second
// clock.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate::synthetic {

// One slice: what the arm reports, and what the gate's clock sees.
struct Slice {
  double timed_s = 0;
  double wall_s = 0;
};

using SliceOf = std::function<Slice(std::size_t arm, int round, int slice)>;

inline constexpr double kTimed = 0.01;

inline void AddClockedRound(Session& session, const SliceOf& slice_of) {
  constexpr double kIterations = 1000;
  RoundInfo& round = add_round(session);
  CaseRound measured;
  std::vector<std::vector<double>> values;
  for (std::size_t arm = 0; arm < session.arms.size(); ++arm) {
    std::vector<double> real, wall, timed;
    for (int s = 0; s < kPairs; ++s) {
      const Slice slice = slice_of(arm, round.index, s);
      real.push_back(slice.timed_s / kIterations);
      wall.push_back(slice.wall_s);
      timed.push_back(slice.timed_s);
    }
    values.push_back(real);
    measured.slice_wall_s.push_back(wall);
    measured.slice_timed_s.push_back(timed);
  }
  measured.values = {values};
  round.cases.push_back(measured);
}

// Two arms with the case "a".
inline Session SessionOf(int rounds, const SliceOf& slice_of) {
  Session session = empty_session({"a"}, {Metric{}}, rounds);
  for (int r = 0; r < rounds; ++r) AddClockedRound(session, slice_of);
  return session;
}

inline ColumnVerdict JudgedOf(const Session& session) { return find_column(decide(session), "a"); }

// Set-up of a tenth of the timed work, both with little noise.
inline Slice Honest(Noise& noise, double slowdown = 0) {
  const double timed_s = kTimed * (1 + slowdown) * (1 + noise(0, 0.002));
  return {timed_s, timed_s + 0.1 * kTimed * (1 + noise(0, 0.02))};
}

// 30 % slower by any honest clock, and 9 % faster by its own.
inline Slice Scaled(Noise& noise) {
  Slice slice = Honest(noise, 0.3);
  slice.timed_s *= 0.7;
  return slice;
}

// Baseline, human and agent; the human is 10 % faster than the baseline.
inline Session ParitySession(int rounds, const SliceOf& slice_of) {
  Session session = empty_session({"a"}, {Metric{}}, rounds);
  ArmInfo third = session.arms[1];
  third.label = "agent";
  third.digest = "sha256:agent";
  session.arms[1].label = "human";
  session.arms.push_back(third);
  for (int r = 0; r < rounds; ++r) AddClockedRound(session, slice_of);
  return session;
}

inline Session ParitySession(Noise& noise, const std::function<Slice()>& agent) {
  return ParitySession(16, [&](std::size_t arm, int, int) {
    return arm == 2 ? agent() : Honest(noise, arm == 0 ? 0 : -0.1);
  });
}

}  // namespace perfgate::synthetic
