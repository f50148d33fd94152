// SPDX-License-Identifier: Apache-2.0
// policy_fields.h: the fields of a policy, alone or inside a session or a verdict.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/policy.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<Metric> M>
void describe(V& v, M& m) {
  v("name", m.name, "name: `real_time`, or that of a counter");
  v("unit", m.unit, "unit: `s`, `B`, `B/s`, `1`, ...");
  v("direction", m.direction, "which way is better");
  v("kind", m.kind, "times and rates are compared as ratios, counts and scores as differences");
}

template <class V, IsStruct<CaseRule> R>
void describe(V& v, R& r) {
  v("match", r.match, "glob on the whole case name: `*` any run of characters, `?` one character");
  v("metric", r.metric, "limits the rule to one metric; null: every metric of the case");
  v("tolerance", r.tolerance,
    "accepted slowdown: fraction for times and rates, the metric's unit for others; null: as is",
    fraction(at_least(0)));
  v("gate", r.gate, "false: measured and shown, never decides; null: as is");
}

template <class V, IsStruct<Policy> P>
void describe(V& v, P& p) {
  v("tolerance", p.tolerance, "accepted slowdown, fraction", fraction(between(0, 10)));
  v("alpha", p.alpha, "false regressions per gate run over the whole suite, fraction",
    fraction(above(0, 0.5)));
  v("budget_s", p.budget_s, "wall time of measuring, calibration included, s", above(0, 604800));
  v("slice_s", p.slice_s, "timed part of one slice, s", between(1e-6, 60));
  v("pairs", p.pairs, "slice pairs per case and round", between(1, 1000));
  v("warmup_slices", p.warmup_slices, "discarded slices per arm, case and round", between(0, 1000));
  v("rounds", p.rounds, "end at exactly so many rounds; 0: by budget", between(0, 10000));
  v("hide_limit", p.hide_limit,
    "inconclusive cases let a gate exit 0 while they can hide no more than this, fraction",
    fraction(between(0, 10)));
  v("claim_improvements", p.claim_improvements,
    "keep measuring passed cases until an improvement is claimed");
  v("allow_oversubscription", p.allow_oversubscription,
    "measure threaded cases with more threads than cores");
  v("filter", p.filter, "regular expression (ECMAScript) on case names; empty: all");
  v("cases", p.cases, "rules for single cases; the last match that sets a field wins");
  v("expected", p.expected, "cases that must exist besides the baseline's own");
  v("metrics", p.metrics, "counters gated although the code does not declare them");
  v("overrides", p.overrides, "what replaced values of the policy file, one sentence each");
}

}  // namespace perfgate::inline evidence
