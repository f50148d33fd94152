// SPDX-License-Identifier: Apache-2.0
// alternatives.h: what perfgate concluded of several alternatives from one session: per case how
// much faster each is than the others, with intervals that hold together, and which rank it has.
//
// The speed-up of X over R is time(R) / time(X), and rate(X) / rate(R) for rates: above 1, X is
// faster. Alternatives are the arms of the session, by their index.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/session.h"

namespace perfgate::inline evidence {

// How many alternatives can be compared at once.
inline constexpr std::size_t kMostAlternatives = 8;

// How often all intervals of a family are to hold together.
inline constexpr double kFamilyConfidence = 0.95;

// Which intervals hold together with that confidence.
enum class Family {
  kSuite,  // all of the report: of every case, and of the geometric means
  kCase,   // those of one case; the geometric means are a family as well
};

constexpr EnumWords<2> enum_words(Family) { return {"family", {{"suite", "case"}}}; }

// Worst first, in the order in which exits apply.
enum class AlternativeStatus {
  kInvalid,        // its numbers cannot be trusted: exit 14
  kFailed,         // exit 11
  kNotComparable,  // it lacks the case, skips it or runs something else: exit 13
  kUnmeasured,     // the budget ended before: exit 12
  kSkipped,        // every alternative skips the case for one reason
  kCompared,
};

constexpr EnumWords<6> enum_words(AlternativeStatus) {
  return {"status", {{"invalid", "failed", "not_comparable", "unmeasured", "skipped", "compared"}}};
}

struct SpeedUp {
  double estimate = std::numeric_limits<double>::quiet_NaN();
  double lo = std::numeric_limits<double>::quiet_NaN();  // NaN where there is no interval
  double hi = std::numeric_limits<double>::quiet_NaN();
};

// One alternative in one case, or over all cases.
struct Standing {
  AlternativeStatus status = AlternativeStatus::kCompared;
  std::string reason;  // why it is not compared; empty where it is
  // Median over rounds in the metric's unit; over all cases the geometric mean of those.
  double value = std::numeric_limits<double>::quiet_NaN();
  SpeedUp over_reference;  // 1 without an interval for the reference itself
  // Ranks that the intervals leave possible: 1 + the number of alternatives that are certainly
  // faster, and the number of alternatives less those that are certainly slower. 0: not compared.
  int rank_lo = 0;
  int rank_hi = 0;
};

inline bool IsCompared(const Standing& standing) {
  return standing.status == AlternativeStatus::kCompared;
}

struct AlternativePair {
  int first = 0;
  int second = 0;
  SpeedUp speed_up;  // of the second over the first
  int rounds = 0;    // that it rests on
};

struct AlternativesRow {
  std::string case_name;  // empty over all cases
  std::string series;     // the name without its size; empty: no series
  double size = std::numeric_limits<double>::quiet_NaN();  // NaN: no series
  int rounds = 0;                                          // the fewest of its pairs
  std::vector<Standing> standings;                         // one per alternative
  std::vector<AlternativePair> pairs;                      // that were compared
};

struct AlternativesVerdict {
  std::string session_id;
  std::string suite;
  std::string tool;
  std::string started;
  bool complete = false;
  std::string grade = "paired";
  Exit exit = Exit::kInternal;
  std::string summary;  // one sentence
  int rounds = 0;
  double wall_s = 0;
  double timed_s = 0;
  Metric metric;                // what was compared
  std::string by;               // key whose values are the alternatives; empty: executables
  int reference = 0;            // index of the alternative that speed-ups are over
  bool only_reference = false;  // nothing but pairs with the reference was compared
  Family family = Family::kSuite;
  double confidence = 0;   // with which all intervals of a family hold, of the weakest; 0: none
  bool holds = false;      // the confidence is 95 %: ranks rest on it
  int rounds_needed = 0;   // from which it is, whatever the rounds say
  std::string series_key;  // that the rows are ordered by; empty: none
  Policy policy;
  Schedule schedule;
  Machine machine;
  std::vector<ArmInfo> arms;
  std::vector<AlternativesRow> rows;
  // Geometric means over the cases in which all alternatives are compared that any case compares;
  // none where those are fewer than 2.
  std::vector<AlternativesRow> overall;
  int overall_cases = 0;
  std::vector<std::string> warnings;
  RoundConditions conditions;
  std::vector<int> cpus;
};

}  // namespace perfgate::inline evidence
