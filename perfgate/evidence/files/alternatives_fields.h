// SPDX-License-Identifier: Apache-2.0
// alternatives_fields.h: the fields of a comparison of alternatives and of everything inside it.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/alternatives.h"
#include "perfgate/evidence/files/session_fields.h"
#include "perfgate/evidence/files/verdict_fields.h"

namespace perfgate::inline evidence {

inline constexpr FieldRule kSpeedUpRule = {.min = 0, .above = true, .absent = true};

template <class V, IsStruct<SpeedUp> S>
void describe(V& v, S& s) {
  v("estimate", s.estimate, "time of the one over time of the other; null: none", kSpeedUpRule);
  v("lo", s.lo, "lower end of the interval; null: no interval", kSpeedUpRule);
  v("hi", s.hi, "upper end of the interval; null: no interval", kSpeedUpRule);
}

template <class V, IsStruct<Standing> S>
void describe(V& v, S& s) {
  v("status", s.status, "whether it was compared");
  v("reason", s.reason, "why it was not; empty: it was");
  v("value", s.value,
    "median over rounds, in the metric's unit, over all cases their geometric mean; null: none",
    kAbsent);
  v("over_reference", s.over_reference, "its speed-up over the reference");
  v("rank_lo", s.rank_lo, "best rank that the intervals leave possible; 0: not compared",
    at_least(0));
  v("rank_hi", s.rank_hi, "worst rank that they leave possible; 0: not compared", at_least(0));
}

template <class V, IsStruct<AlternativePair> P>
void describe(V& v, P& p) {
  v("first", p.first, "index into `arms`", at_least(0));
  v("second", p.second, "index into `arms`", at_least(0));
  v("speed_up", p.speed_up, "of the second over the first: above 1, the second is faster");
  v("rounds", p.rounds, "rounds that it rests on", at_least(0));
}

template <class V, IsStruct<AlternativesRow> R>
void describe(V& v, R& r) {
  v("case_name", r.case_name, "canonical name of the case; empty: over all cases");
  v("series", r.series, "the name without its size; empty: no series");
  v("size", r.size, "the size in the name; null: none", kAbsent);
  v("rounds", r.rounds, "the fewest rounds of its pairs", at_least(0));
  v("standings", r.standings, "one per alternative, in the order of `arms`");
  v("pairs", r.pairs, "every pair that was compared");
}

template <class V, IsStruct<AlternativesVerdict> S>
void describe(V& v, S& s) {
  describe_origin(v, s);
  v("grade", s.grade, "evidence grade: `paired` or `paired_serial`");
  describe_result(v, s);
  v("metric", s.metric, "what was compared");
  v("by", s.by, "key in the names of cases whose values are the alternatives; empty: executables");
  v("reference", s.reference, "index into `arms`: speed-ups are over this one", at_least(0));
  v("only_reference", s.only_reference, "nothing but pairs with the reference was compared");
  v("family", s.family, "which intervals hold together: of the `suite`, or of one `case`");
  v("confidence", s.confidence,
    "with which all intervals of a family hold together, of the weakest; 0: there are none",
    between(0, 1));
  v("holds", s.holds, "the confidence is at least 95 %, so ranks rest on it");
  v("rounds_needed", s.rounds_needed, "rounds from which it is, whatever the rounds say",
    at_least(0));
  v("series_key", s.series_key, "key of the sizes that order the rows; empty: none");
  v("policy", s.policy, "the policy in force");
  v("schedule", s.schedule, "seed and looks");
  v("machine", s.machine, "where it ran");
  v("arms", s.arms, "the alternatives");
  v("rows", s.rows, "one per case");
  v("overall", s.overall,
    "geometric means over the cases that all compared alternatives have; none or one");
  v("overall_cases", s.overall_cases, "cases in those means", at_least(0));
  describe_circumstances(v, s);
}

}  // namespace perfgate::inline evidence
