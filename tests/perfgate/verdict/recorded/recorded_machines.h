// SPDX-License-Identifier: Apache-2.0
// recorded_machines.h: recorded sessions made from numbers.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "perfgate/evidence/recorded.h"

namespace perfgate::synthetic {

// Sessions of a machine whose speed drifts by `drift` and whose cases vary by `noise` (SD of logs).
struct Machines {
  std::mt19937_64 random;
  double noise = 0.01;
  double drift = 0;
  int cases = 5;

  RecordedSession session(double slowdown = 1, char executable = 'a') {
    std::normal_distribution<double> normal;
    RecordedSession s;
    s.id = std::string(32, '1');
    s.suite = "suite";
    s.executable.digest = std::string("sha256:") + executable;
    s.executable.build = {.compiler = "GNU 12",
                          .sanitizer = "",
                          .known = true,
                          .optimized = true,
                          .assertions = false,
                          .codegen = "sse2"};
    s.machine.cpu_model = "cpu";
    s.slice_s = 0.01;
    s.pairs = 4;
    s.rounds = 2;
    s.metrics = {Metric{}};
    const double speed = std::exp(drift * normal(random));
    for (int c = 0; c < cases; ++c) {
      RecordedCase info;
      info.name = "case" + std::to_string(c);
      const double value = 1e-5 * (c + 1) * speed * (c == 0 ? slowdown : 1);
      info.values = {
          {value * std::exp(noise * normal(random)), value * std::exp(noise * normal(random))}};
      s.cases.push_back(info);
    }
    s.reference_names = {"idle", "drifting"};
    s.reference = {{1e-3, 1e-3}, {1e-3 * speed, 1e-3 * speed}};
    return s;
  }
  std::vector<RecordedSession> sessions(int count, double slowdown = 1) {
    std::vector<RecordedSession> result;
    for (int i = 0; i < count; ++i) result.push_back(session(slowdown));
    return result;
  }
};

}  // namespace perfgate::synthetic
