// SPDX-License-Identifier: Apache-2.0
// second_clock.h: does an arm's report account for the wall time that the gate saw?
//
// A benchmark times itself, so a candidate could scale its clock or work while it does not time.
// The gate times every slice as well. Starting a slice, set-up and what a benchmark does between
// its timed iterations take wall time that no report explains, in both arms alike. What the
// candidate leaves unexplained beyond the baseline counts, as a share of the timed work:
//
//   x = ((W_c - T_c) - (W_b - T_b)) / T_b     per round, W wall and T timed seconds
//
// Untimed work that grows with the timed work, such as a check that calls the same code, may grow
// as the candidate's own report grows. Where the arms ran other numbers of iterations, x is the
// smaller one of the whole and of one iteration, because set-up is of one kind or of the other.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/case_rounds.h"

namespace perfgate::inline verdict {

// One arm against another in one case.
struct WallExcess {
  std::vector<double> x;       // per round that has both clocks
  std::vector<double> whole;   // x and what the candidate reports beyond the baseline
  double baseline_share = 0;   // of its wall that its report does not explain, median over rounds
  double candidate_share = 0;  // the same of the candidate
};

// Without rounds where the wall was not kept, and where the baseline reports more than the wall
// holds, in sum or in most rounds: its time is of another clock, so the wall says nothing of it.
WallExcess WallExcessOf(const RoundsOfCase& rounds, std::size_t baseline, std::size_t candidate);

enum class ClockFinding {
  kNone,
  kSuspicious,  // every round shows more than the margin, or so many that chance is unlikely
  kProven,
};

// Proven: p <= 1e-5 of the sign test that the median of x is above the margin, or of Student's t
// test that its mean is. Suspicious: p <= 0.02 of the sign test, divided by the cases that are
// looked at, where 6 or more rounds all show more always are suspicious. Below 6 rounds nothing is.
ClockFinding FindExcess(std::span<const double> x, double margin, std::size_t cases);

struct ClockVerdict {
  ClockFinding finding = ClockFinding::kNone;
  std::string reason{};  // "second_clock: ..."
};

// Both the unexplained excess and the whole wall are judged. A candidate that lies in some
// launches, or makes its untimed work noisy, leaves x unclear; its wall is long in all of them. So
// a case that passes must not show more wall than the tolerance and the margin allow together.
//
// claimed: the improvement that is claimed, 0.04 for 4 % less, 0 for none. Half of it must show in
// wall time, so it lowers the margin of the policy.
// A stranger's candidate, at any level but open, is suspicious too where it would pass and the
// median of x is above 10 %, however noisy x is.
//
// tolerance: by how much the case may be slower and pass; none: it does not pass anyway.
ClockVerdict JudgeSecondClock(const Session& session, const WallExcess& excess, double claimed,
                              std::optional<double> tolerance);

// Where the policy judges: a proven excess makes any verdict that rests on rounds invalid, and a
// suspicious one withholds a pass, an improvement and what is inconclusive already. Other metrics
// than times and rates are left to FollowInvalidTime().
void ApplySecondClock(const Session& session, const WallExcess& excess, ColumnVerdict& verdict);

// The same for a pair of arms, whose win and match are withheld as unresolved.
void ApplySecondClock(const Session& session, const WallExcess& excess, const Metric& metric,
                      double margin, ParityPair& pair);

// Whether ApplySecondClock() withheld a verdict: it never passes as bounded noise.
bool IsWithheldBySecondClock(const ColumnVerdict& verdict);

// Where the policy reports: a sentence for every case with a finding.
std::vector<std::string> SecondClockWarnings(const Session& session, std::size_t baseline,
                                             std::size_t candidate);

}  // namespace perfgate::inline verdict
