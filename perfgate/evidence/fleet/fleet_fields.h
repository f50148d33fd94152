// SPDX-License-Identifier: Apache-2.0
// fleet_fields.h: the fields of a fleet's plan, and of what a session says of its part in one.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/files/policy_fields.h"
#include "perfgate/evidence/fleet/fleet.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<FleetJob> J>
void describe(V& v, J& j) {
  v("plan_digest", j.plan, "`sha256:<hex>` of the fleet's plan; empty: no part of a fleet");
  v("job", j.job, "which job, from 1; 0: none, or merged from all", at_least(0));
  v("jobs", j.jobs, "jobs of the plan", at_least(0));
}

template <class V, IsStruct<MergedPart> P>
void describe(V& v, P& p) {
  v("job", p.job, "which job, from 1", at_least(1));
  v("session_id", p.session_id, "`id` of the job's session", hex_digits(32));
  v("started", p.started, "start of the job, ISO 8601, UTC");
  v("hostname", p.hostname, "where it ran; empty: not known");
  v("seed", p.seed, "replays coins and orders of the job", hex_digits(16));
  v("wall_s", p.wall_s, "wall time of the job, s", at_least(0));
  v("coins", p.coins, "`coin` of each of its rounds");
}

template <class V, IsStruct<FleetArm> A>
void describe(V& v, A& a) {
  v("label", a.label, "`baseline` or `candidate`");
  v("path", a.path, "where the executable lay when the plan was made");
  v("digest", a.digest, "`sha256:<hex>` over the file and its non-system libraries");
}

template <class V, IsStruct<FleetCase> C>
void describe(V& v, C& c) {
  v("name", c.name, "canonical name of the benchmark instance");
  v("job", c.job, "the job that measures it, from 1", at_least(1));
  v("round_s", c.round_s, "predicted wall time of one round of it, s; 0: not known", at_least(0));
}

template <class V, IsStruct<FleetPlan> P>
void describe(V& v, P& p) {
  v("id", p.id, "random: two plans alike are two experiments; 32 hexadecimal digits",
    hex_digits(32));
  v("tool", p.tool, "program and version that planned");
  v("suite", p.suite, "name of the suite; empty: none given");
  v("jobs", p.jobs, "number of jobs", at_least(1));
  v("policy", p.policy, "the policy of every job");
  v("looks", p.looks, "numbers of rounds at which the merged family is judged, rising",
    at_least(1));
  v("look_alpha", p.look_alpha,
    "false-fail level of each look, over all jobs together; 0: can only pass", between(0, 0.5));
  v("arms", p.arms, "the executables: baseline and candidate");
  v("cases", p.cases, "every case of either executable, in the order of the suite");
}

}  // namespace perfgate::inline evidence
