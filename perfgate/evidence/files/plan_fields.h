// SPDX-License-Identifier: Apache-2.0
// plan_fields.h: the fields of a plan and of everything inside it.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/files/policy_fields.h"
#include "perfgate/evidence/plan.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<PlannedColumn> C>
void describe(V& v, C& c) {
  v("case_name", c.case_name, "canonical name of the case");
  v("metric", c.metric, "what is compared");
  v("value", c.value, "calibrated value in the metric's unit; null: none", kAbsent);
  v("tolerance", c.tolerance, "accepted change for the worse", at_least(0));
  v("round_sd", c.round_sd, "standard deviation between rounds", at_least(0));
  v("resolved", c.resolved,
    "passes when unchanged and fails at the slowdown, each with the power asked for");
  v("rounds_to_pass", c.rounds_to_pass, "closed form, unchanged code; null: never", at_least(0));
  v("rounds_to_fail", c.rounds_to_fail, "closed form, at the slowdown; null: never or not asked",
    at_least(0));
  v("pass_share", c.pass_share, "share of resampled unchanged gates in which it passes",
    between(0, 1));
  v("pass_rounds", c.pass_rounds, "mean rounds of it in those gates", at_least(0));
  v("fail_share", c.fail_share, "share of resampled gates that find the slowdown; null: not asked",
    between(0, 1));
  v("fail_rounds", c.fail_rounds, "mean rounds of it in those gates; null: not asked", at_least(0));
  v("detectable", c.detectable,
    "smallest slowdown found at the last look with the power asked for; null: none", at_least(0));
  v("supported_tolerance", c.supported_tolerance,
    "smallest tolerance that it passes with when unchanged; null where it does as it is",
    at_least(0));
  v("reason", c.reason, "why it is not resolved, and what would help; empty where it is");
}

template <class V, IsStruct<SuitePlan> P>
void describe(V& v, P& p) {
  v("session_id", p.session_id, "`session_id` of the calibration", hex_digits(32));
  v("tool", p.tool, "program and version that planned");
  v("started", p.started, "start of the calibration, ISO 8601, UTC");
  v("suite", p.suite, "name of the suite; empty: none given");
  v("recorded_rounds", p.recorded_rounds, "rounds of the calibration", at_least(0));
  v("policy", p.policy, "the policy that was planned for");
  v("power", p.power, "chance with which a case must be decided", between(0.5, 1));
  v("slowdown", p.slowdown, "slowdown that must be found, fraction", above(0));
  v("looks", p.looks, "numbers of rounds at which decisions are taken, rising", at_least(1));
  v("look_alpha", p.look_alpha, "false-fail level of each look; 0: can only pass", between(0, 0.5));
  v("gates", p.gates, "gates that were resampled", at_least(0));
  v("pass_share", p.pass_share, "share of unchanged suites in which every case passes",
    between(0, 1));
  v("false_fail_share", p.false_fail_share, "share of unchanged suites that fail", between(0, 1));
  v("rounds", p.rounds, "mean rounds of an unchanged suite", at_least(0));
  v("wall_s", p.wall_s, "mean wall time of an unchanged suite, s", at_least(0));
  v("wall_long_s", p.wall_long_s, "90 % of unchanged suites take no longer, s", at_least(0));
  v("exit", p.exit, "exit code of the plan: 0 or 12");
  v("summary", p.summary, "one sentence");
  v("columns", p.columns, "one per gated case and metric, worst first");
  v("rules", p.rules, "rules for a policy file under which the unresolved cases would pass");
  v("warnings", p.warnings, "what the reader should know");
}

}  // namespace perfgate::inline evidence
