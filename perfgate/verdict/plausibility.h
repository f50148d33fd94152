// SPDX-License-Identifier: Apache-2.0
// plausibility.h: times that no honest benchmark has.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/case_rounds.h"

namespace perfgate::inline verdict {

// What is looked at: one metric of one case, in two arms.
struct TimesOfPair {
  const Session& session;
  const std::vector<RoundsOfCase>& rounds;  // by case
  std::size_t case_index = 0;
  std::size_t metric_index = 0;
  std::size_t baseline = 0;
  std::size_t candidate = 1;
};

// Whether somebody holds the results of the case against others: a guard of the first arm does
// while it is measured, or all arms show one digest of what they promise.
bool IsChecked(const Session& session, std::size_t case_index);

// Why the times cannot be; empty: they can, or the policy does not ask.
//   zero_spread        every slice of a time of an arm is the same number, over 6 rounds or more
//   unchecked_speedup  is_faster, the change is beyond Policy::unchecked_speedup, and nobody checks
//                      the results
//   above_ceiling      the candidate moves its declared bytes at more than 1.5 times the rate of
//                      the case that is declared as the most there is, and the baseline does not
// effect: of the candidate against the baseline.
std::string Implausible(const TimesOfPair& pair, const Effect& effect, bool is_faster);

// Makes a verdict on implausible times invalid.
void ApplyPlausibility(const TimesOfPair& pair, ColumnVerdict& verdict);
void ApplyPlausibility(const TimesOfPair& pair, ParityPair& verdict);

// Other metrics of a case whose time or rate is invalid for one of these reasons, or for the second
// clock's, are invalid with it.
void FollowInvalidTime(std::vector<ColumnVerdict>& columns);

// Cases with a gated comparison, and those of them that are checked.
void CountChecked(const Session& session, SuiteVerdict& suite);

}  // namespace perfgate::inline verdict
