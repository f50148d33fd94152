// SPDX-License-Identifier: Apache-2.0
// qualification.h: may recorded numbers alone fail a gate on this machine class?
//
// Only its own record can say. The baseline's sessions are cut into windows of 3 that do not
// overlap; each plays the candidate against all the others, which are known to be unchanged, so
// that every alarm is false. Qualified: the upper end of the one-sided 90 % Clopper-Pearson
// interval of the alarm rate is at most alpha_stored, which takes 45 windows without an alarm at 5
// %.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/recorded.h"

namespace perfgate::inline verdict {

inline constexpr double kAlphaStored = 0.05;

struct Qualification {
  int windows = 0;
  int alarms = 0;           // windows in which any gated column was suspected
  double rate_upper = 1.0;  // upper end of the interval
  bool qualified = false;
  std::string text;  // one sentence with the figures
};

// sessions: of one executable, in the order recorded.
Qualification qualify(std::span<const RecordedSession> sessions, const Policy& policy,
                      double alpha_stored = kAlphaStored);

}  // namespace perfgate::inline verdict
