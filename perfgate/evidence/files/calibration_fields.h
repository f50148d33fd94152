// SPDX-License-Identifier: Apache-2.0
// calibration_fields.h: the fields of a calibration and of everything inside it.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/files/session_fields.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<CalibratedColumn> C>
void describe(V& v, C& c) {
  constexpr FieldRule kAbsentOrPositive = {.min = 0, .absent = true};
  v("case_name", c.case_name, "canonical name of the case");
  v("metric", c.metric, "what was measured");
  v("iterations", c.iterations, "iterations of one slice; 0: run by time", at_least(0));
  v("slice_s", c.slice_s, "timed part of one slice, s", at_least(0));
  v("setup_share", c.setup_share, "share of a slice that set-up takes, against its timed part",
    between(0, 1));
  v("pair_s", c.pair_s, "wall time of one slice pair, set-up included, s", at_least(0));
  v("value", c.value, "median over rounds of both arms, in the metric's unit; null: none", kAbsent);
  v("round_sd", c.round_sd, "standard deviation of `d` between rounds, from the width of its CI95",
    at_least(0));
  v("sample_sd", c.sample_sd, "the ordinary standard deviation of `d`", at_least(0));
  v("pair_sd", c.pair_sd, "standard deviation of one pair inside its round; null: one pair a round",
    kAbsentOrPositive);
  v("between_sd", c.between_sd,
    "standard deviation between launches, without what the pairs bring; null: not known",
    kAbsentOrPositive);
  v("d", c.d,
    "statistic of every round: log ratio for times and rates, difference for others; positive: the "
    "second arm is worse");
}

template <class V, IsStruct<LeftOut> L>
void describe(V& v, L& l) {
  v("case_name", l.case_name, "canonical name of the case");
  v("reason", l.reason, "why it was not calibrated");
}

template <class V, IsStruct<Calibration> C>
void describe(V& v, C& c) {
  v("session_id", c.session_id, "`id` of the session it was made from", hex_digits(32));
  v("tool", c.tool, "program and version that measured");
  v("started", c.started, "start, ISO 8601, UTC");
  v("suite", c.suite, "name of the suite; empty: none given");
  v("executable", c.executable, "what was measured against itself");
  v("machine", c.machine, "where it ran");
  v("cpus", c.cpus, "cores that the arms were pinned to", at_least(0));
  v("conditions", c.conditions, "what the machine was doing: medians over rounds");
  v("seed", c.seed, "replays coins and orders, 16 hexadecimal digits", hex_digits(16));
  v("policy", c.policy, "policy that a gate on this suite would use; pairs and slices as measured");
  v("rounds", c.rounds, "rounds that entered", at_least(1));
  v("wall_s", c.wall_s, "wall time of the session, s", at_least(0));
  v("start_s", c.start_s, "wall time before the first round, s", at_least(0));
  v("round_s", c.round_s, "wall time of a round with every case, s", at_least(0));
  v("launch_s", c.launch_s, "part of `round_s` that does not grow with the pairs, s", at_least(0));
  v("columns", c.columns, "one per case and metric");
  v("left_out", c.left_out, "cases that were not calibrated");
  v("warnings", c.warnings, "what the reader should know");
}

}  // namespace perfgate::inline evidence
