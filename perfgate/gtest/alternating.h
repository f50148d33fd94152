// SPDX-License-Identifier: Apache-2.0
// alternating.h: two arms measured in alternated slices inside one process, and what that shows.
//
// Knows no GoogleTest and no clock: the caller hands in a function that runs one slice of an arm
// and says how long it took. not_slower.h is the assertion on top.
//
// A round: one discarded slice per arm, then `pairs` slice pairs in balanced order (ABBA...), whose
// first arm is the round's coin. Its statistic is the median over pairs of
// log(candidate / baseline). Over rounds: Hodges-Lehmann estimate and exact signed-rank CI95
// (perfgate/stats/inference/signed_rank.h), and the one-sided sign-flip test that the slowdown is
// at most the tolerance (perfgate/stats/inference/max_t.h, one column). One test after a fixed
// number of rounds; no looks.
//
// The coin makes the test exact against any advantage of going first, as far as rounds are
// otherwise independent. Inside one process they share its memory layout; see not_slower.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "perfgate/evidence/verdict.h"

namespace perfgate::testing {

struct AlternatingOptions {
  int rounds = 10;         // 6 to 64, and 2^-rounds <= alpha, or nothing could ever fail
  double slice_s = 0.002;  // timed seconds of one slice, > 0
  int pairs = 4;           // slice pairs per round, even, >= 2
  double alpha = 0.01;     // false failures at a slowdown equal to the tolerance, in (0, 1)
  // Bit r is the coin of round r: 1 lets the candidate go first. Unset: drawn from the operating
  // system. Setting it replays a run's order.
  std::optional<std::uint64_t> coins = std::nullopt;
};

enum class Arm : int { kBaseline = 0, kCandidate = 1 };

// Runs the arm `iterations` times (>= 1) and returns the seconds that took.
using SliceFunction = std::function<double(Arm arm, std::int64_t iterations)>;

struct Alternated {
  Verdict verdict = Verdict::kInconclusive;  // kRegression, kNoRegression, kImprovement as well
  double estimate = 0;  // slowdown of the candidate as a fraction; 0.05: five per cent slower
  double lo = 0;        // CI95
  double hi = 0;
  double p = 1;  // one-sided, that the slowdown is at most the tolerance
  double tolerance = 0;
  double alpha = 0;
  int rounds = 0;
  std::int64_t iterations = 0;  // of one slice, the same for both arms
  double baseline_s = 0;        // per iteration, median over rounds
  double candidate_s = 0;
  std::uint64_t coins = 0;
};

// kRegression: p <= alpha. Otherwise kImprovement where CI95 lies below -tolerance,
// kNoRegression where it ends below the tolerance, kInconclusive else.
//
// tolerance: accepted slowdown as a fraction, >= 0. Iterations are calibrated on the baseline.
// Throws Error(kUsage) for options out of range, and Error(kInvalid) when a slice's time is not
// finite and positive or no number of iterations makes a slice long enough.
Alternated alternate(const SliceFunction& slice, double tolerance,
                     const AlternatingOptions& options = {});

// "candidate is 103 % slower than baseline: CI95 [98 %, 107 %], p 0.00098, ..." in a few lines.
std::string describe(const Alternated& result);

}  // namespace perfgate::testing
