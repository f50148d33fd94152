// SPDX-License-Identifier: Apache-2.0
// policy_fields.h: the fields of a policy, alone or inside a session or a verdict.
#pragma once

#include <string_view>

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
    fraction_or_unit(at_least(0), "metric"));
  v("gate", r.gate, "false: measured and shown, never decides; null: as is");
}

// What a run under a trusted policy may do to a field.
// kLimit: no larger, and 0, which is no limit, only where it is 0 already.
enum class Trust { kNoLarger, kNoSmaller, kLimit, kUnchanged, kFree };

struct PolicyRule : FieldRule {
  Trust trust;
  std::string_view option = {};  // of the command line
  std::string_view looser = {};  // what a value that is not allowed does
};

constexpr PolicyRule policy_rule(const FieldRule& rule, Trust trust, std::string_view option = {},
                                 std::string_view looser = {}) {
  return {rule, trust, option, looser};
}

template <class V, IsStruct<Policy> P>
void describe(V& v, P& p) {
  v("tolerance", p.tolerance, "accepted slowdown, fraction",
    policy_rule(fraction(between(0, 10)), Trust::kNoLarger, "--tolerance",
                "it accepts a larger slowdown"));
  v("alpha", p.alpha, "false regressions per gate run over the whole suite, fraction",
    policy_rule(fraction(above(0, 0.5)), Trust::kNoSmaller, "--alpha",
                "a smaller one fails less often"));
  v("budget_s", p.budget_s,
    "wall time of measuring, calibration included, s; 0: what 16 rounds need",
    policy_rule(between(0, 604800), Trust::kNoSmaller, "--budget", "less finds less"));
  v("slice_s", p.slice_s, "timed part of one slice, s",
    policy_rule(between(1e-6, 60), Trust::kNoSmaller, "--slice", "shorter slices find less"));
  v("pairs", p.pairs, "slice pairs per case and round",
    policy_rule(between(1, 1000), Trust::kNoSmaller, "--pairs", "fewer slices find less"));
  v("warmup_slices", p.warmup_slices, "discarded slices per arm, case and round",
    policy_rule(between(0, 1000), Trust::kNoSmaller, "the policy", "less warm-up"));
  v("fit", p.fit,
    "a gate may cut pairs, slices and warm-up of a case so that the budget holds 16 rounds",
    policy_rule(added(), Trust::kNoLarger, "the policy", "fewer slices find less"));
  v("rounds", p.rounds, "end at exactly so many rounds; 0: by budget",
    policy_rule(between(0, 10000), Trust::kNoSmaller, "--rounds", "fewer find less"));
  v("hide_limit", p.hide_limit,
    "inconclusive cases let a gate exit 0 while they can hide no more than this, fraction",
    policy_rule(fraction(between(0, 10)), Trust::kNoLarger, "--hide-limit",
                "it hides a larger slowdown"));
  v("claim_improvements", p.claim_improvements,
    "keep measuring passed cases until an improvement is claimed", policy_rule({}, Trust::kFree));
  v("allow_oversubscription", p.allow_oversubscription,
    "measure threaded cases with more threads than cores",
    policy_rule({}, Trust::kNoLarger, "--oversubscribe", "the revision does not allow it"));
  v("layouts", p.layouts,
    "executables linked in several layouts: `off`, `confirm` what one link would name, `always`",
    policy_rule(added(), Trust::kNoSmaller, "--layouts", "one link says less of the change"));
  v("reuse_layouts", p.reuse_layouts,
    "rounds may run a layout again; no claim is then stronger than directional",
    policy_rule(added(), Trust::kNoLarger, "--reuse-layouts", "its rounds are not independent"));
  v("unchanged_code", p.unchanged_code,
    "a case that runs the same code in both and would be named: `inconclusive` or `judge` it",
    policy_rule(added(), Trust::kFree));
  v("filter", p.filter, "regular expression (ECMAScript) on case names; empty: all",
    policy_rule({}, Trust::kUnchanged, "--filter", "it leaves out cases"));
  v("cases", p.cases, "rules for single cases; the last match that sets a field wins",
    policy_rule({}, Trust::kUnchanged, "the policy", "other rules for single cases"));
  v("expected", p.expected, "cases that must exist besides the baseline's own",
    policy_rule({}, Trust::kUnchanged, "the policy", "other expected cases"));
  v("metrics", p.metrics, "counters gated although the code does not declare them",
    policy_rule({}, Trust::kUnchanged, "the policy", "other gated counters"));
  v("counted", p.count,
    "what is counted beside the time: `instructions`, `cycles`, `branch_misses`, `cache_misses`, "
    "`peak_rss`, `allocs_per_iter`, `max_bytes_used`",
    policy_rule(added(), Trust::kUnchanged, "--count", "other counts"));
  v("second_clock", p.second_clock,
    "wall time that a candidate's report does not explain: `judge`, `report` as a warning, `off`",
    policy_rule(added(), Trust::kNoSmaller, "--second-clock", "the candidate's clock is believed"));
  v("second_clock_margin", p.second_clock_margin,
    "wall time that a candidate's report may leave unexplained beyond the baseline's, fraction of "
    "the timed work",
    policy_rule(added(fraction(between(0, 10))), Trust::kNoLarger, "the policy",
                "more time goes unexplained"));
  v("plausibility", p.plausibility, "times that no honest benchmark has: `judge` or `off`",
    policy_rule(added(), Trust::kNoSmaller, "--plausibility", "any time is believed"));
  v("unchecked_speedup", p.unchecked_speedup,
    "a case whose results nobody checks may become so many times faster; 0: any",
    policy_rule(added(between(0, 1e9)), Trust::kLimit, "--unchecked-speedup",
                "a larger speed-up is believed"));
  v("overrides", p.overrides, "what replaced values of the policy file, one sentence each",
    policy_rule({}, Trust::kFree));
}

}  // namespace perfgate::inline evidence
