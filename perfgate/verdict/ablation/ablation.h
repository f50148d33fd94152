// SPDX-License-Identifier: Apache-2.0
// ablation.h: which options of one executable are worth their place.
//
// A session of two arms that are one executable: arm 0 runs each case without an option, arm 1 with
// it. All pairs of all options are one family of tests: the chance that any option is wrongly said
// to be slower is the policy's alpha for the whole table, and so is that of any being wrongly said
// to be faster. The latter needs the test as well: with the interval alone one of seven names for
// what the default does was promoted, at 2.8 % in six rounds of six.
//
// A column (pair x metric), the interval being the one over all its rounds, which holds at every
// look:
//
//   worse        the suite's test says slower than the tolerance
//   equal        the interval is wholly inside the tolerance, on both sides
//   better       the same test, with the arms exchanged, says faster than the tolerance, the cycles
//                of a GPU case do so too (clock_check.h), and the interval is still below 0
//   open         none of these, for instance a column that was not faster by the tolerance at an
//                early look and is since
//
// Columns that are not gated are better where their interval is wholly below minus the tolerance.
//
// An option, over its gated columns:
//
//   not judged     one of them failed, is invalid or cannot be compared; so is an option that
//                  promises to change no bit of the result and does (result_check.h), and one that
//                  makes a score, rate or count appear or vanish
//   rejected       some are better and some are worse: the wider gate says no
//   regresses      some are worse, none is better
//   unresolved     some are open, none is worse
//   promote        some are better, the others are equal
//   not material   all are equal
//
// A counter of kind time that only one setting reports is shown and not gated: an option that fuses
// two stages has one of another name, and the time of the case, which both settings have, judges
// what it was worth.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/ablation/toggles.h"

namespace perfgate::inline verdict {

enum class Answer { kWorse, kBetter, kEqual, kOpen, kNone };
enum class Promotion { kNotJudged, kRejected, kRegresses, kUnresolved, kPromote, kNotMaterial };

std::string_view to_string(Answer answer);
std::string_view to_string(Promotion promotion);

struct AblationColumn {
  std::string where;      // the case without the option
  ColumnVerdict verdict;  // interval, estimate, rounds, claim and reason are those of all rounds
  Answer answer = Answer::kNone;
  std::optional<int> only_arm;  // a time that this arm alone reports: the other's fields stay 0
  // Over rounds, of the medians of their slices, in the metric's unit.
  double before_mean = 0, before_sd = 0, after_mean = 0, after_sd = 0;
  // Rounds in which the option was better, worse by more than the tolerance, and the rest.
  int wins = 0, losses = 0, ties = 0;
};

struct AblationRow {
  std::string option;
  Promotion promotion = Promotion::kUnresolved;
  std::vector<AblationColumn> columns;  // largest slowdown first
};

// Whether a gated column of the option failed, is invalid or cannot be compared. One that both
// settings skip asks nothing.
bool is_unanswered(const AblationRow& row);

struct Ablation {
  SuiteVerdict suite;
  std::vector<AblationRow> rows;  // in the order of the toggles
};

// Throws as decide() does.
Ablation decide_ablation(const Session& session, std::span<const Toggle> toggles);

// Cases with a gated column that is still open.
std::vector<bool> open_ablation_cases(const Session& session);

}  // namespace perfgate::inline verdict
