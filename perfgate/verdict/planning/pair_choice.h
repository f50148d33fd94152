// SPDX-License-Identifier: Apache-2.0
// pair_choice.h: how many slice pairs a round should have.
//
// More pairs cost slices and shrink what the pairs bring to a round's noise; fewer pairs leave more
// rounds, each of which costs a launch and shrinks all of it (stats/design/two_stage.h). The best
// number is the one with which an unchanged suite is decided soonest.
#pragma once

#include <vector>

#include "perfgate/evidence/calibration.h"

namespace perfgate::inline verdict {

struct PairChoice {
  int pairs = 0;
  double suite_s = 0;  // predicted wall seconds until every case that can pass has, at 80 %
  int rounds = 0;      // of the slowest of them
};

struct PairAdvice {
  std::vector<PairChoice> choices;  // ascending pairs; the measured number is among them
  std::size_t measured = 0;         // indices into choices
  std::size_t best = 0;
  int hopeless = 0;  // gated columns that pass within 40 rounds with none of the choices
};

// Tries 1, 2, 4, 8, 16 and 32 pairs and what was measured. A column needs the rounds of the closed
// form for unchanged code, rounded up to the next look; hopeless ones take 40 whatever the pairs. A
// choice that gains less than 5 % over the measured one is not better. Without pair SDs (one pair a
// round) only the measured number is there.
PairAdvice advise_pairs(const Calibration& calibration, const Policy& policy);

}  // namespace perfgate::inline verdict
