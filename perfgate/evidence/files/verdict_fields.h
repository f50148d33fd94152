// SPDX-License-Identifier: Apache-2.0
// verdict_fields.h: the fields of a verdict and of everything inside it.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/files/session_fields.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<Effect> E>
void describe(V& v, E& e) {
  v("estimate", e.estimate,
    "positive is worse: fraction for times and rates, the metric's unit for others; null: none",
    kAbsent);
  v("lo", e.lo, "lower end of the interval; null: no interval", kAbsent);
  v("hi", e.hi, "upper end of the interval; null: no interval", kAbsent);
  v("range_lo", e.range_lo, "smallest round, below 6 rounds; null: none", kAbsent);
  v("range_hi", e.range_hi, "largest round, below 6 rounds; null: none", kAbsent);
  v("range_confidence", e.range_confidence, "exact confidence of the range, fraction",
    between(0, 1));
}

template <class V, IsStruct<ColumnVerdict> C>
void describe(V& v, C& c) {
  v("case_name", c.case_name, "canonical name of the case");
  v("metric", c.metric, "what was compared");
  v("verdict", c.verdict, "what perfgate concluded");
  v("claim", c.claim, "how strong a statement the evidence carries");
  v("reason", c.reason, "named reason and its detail; empty for ordinary verdicts");
  v("gated", c.gated, "false: shown, does not count");
  v("tolerance", c.tolerance, "accepted change for the worse, as `effect`", at_least(0));
  v("rounds", c.rounds, "rounds that entered", at_least(0));
  v("effect", c.effect, "the change");
  v("p_adjusted", c.p_adjusted, "p of the last look that could fail it, adjusted for the suite",
    between(0, 1));
  v("noise_sd", c.noise_sd, "standard deviation between rounds, log ratio; null: not known",
    kAbsent);
  v("noise_ratio", c.noise_ratio,
    "spread of the candidate's own rounds over that of the baseline's; null: not asked",
    added(kAbsent));
  v("noise_ratio_p", c.noise_ratio_p, "p of a ratio as large by chance; null: not asked",
    added(kAbsent));
  v("rounds_to_pass", c.rounds_to_pass, "more rounds until it passes, about; null: would not",
    at_least(0));
  v("rounds_to_fail", c.rounds_to_fail, "more rounds until it fails, about; null: would not",
    at_least(0));
  v("rounds_range_lo", c.rounds_range_lo,
    "of the nearer of the two: lower end of the range that holds the true number in about 80 %",
    at_least(0));
  v("rounds_range_hi", c.rounds_range_hi, "upper end; null: no number need be enough", at_least(0));
  v("noise_unstable", c.noise_unstable,
    "two estimates of the noise differ by more than 2x: several states, rough predictions");
  v("detectable", c.detectable, "smallest slowdown found with 80 % power at these rounds");
  v("baseline", c.baseline, "median over rounds, in the metric's unit; null: none", kAbsent);
  v("candidate", c.candidate, "median over rounds, in the metric's unit; null: none", kAbsent);
  v("setup_share", c.setup_share, "share of a slice's wall time outside the timed loop",
    between(0, 1));
  v("link_effect", c.link_effect,
    "the change in one link of each arm, where `effect` is over layouts; null: not asked", added());
  v("link_sd", c.link_sd,
    "standard deviation between rounds of one link, log ratio; null: not known", added(kAbsent));
  v("layout_sd", c.layout_sd,
    "standard deviation between layouts beyond that, log ratio; null: not known", added(kAbsent));
  v("hot_code", c.hot_code,
    "whether both arms run the same code: `code unchanged`, `code changed: f, g`, `code not "
    "checked: why`; empty: not asked",
    added());
}

// What every verdict says of the session that it judges, in three places of the file.
template <class V, class S>
void describe_origin(V& v, S& s) {
  v("session_id", s.session_id, "`id` of the session that was judged");
  v("suite", s.suite, "name of the suite; empty: none given");
  v("tool", s.tool, "program and version that judged");
  v("started", s.started, "start of the session, ISO 8601, UTC");
  v("complete", s.complete, "false: the session was interrupted");
}

template <class V, class S>
void describe_result(V& v, S& s) {
  v("exit", s.exit, "exit code of the command");
  v("summary", s.summary, "one sentence");
  v("rounds", s.rounds, "rounds of the session", at_least(0));
  v("wall_s", s.wall_s, "wall time of the session, s", at_least(0));
  v("timed_s", s.timed_s, "timed part of counted slices of all arms, s", at_least(0));
}

template <class V, class S>
void describe_circumstances(V& v, S& s) {
  v("warnings", s.warnings, "what the reader should know");
  v("conditions", s.conditions, "where the machine stood: medians over rounds");
  v("cpus", s.cpus, "cores that the arms were pinned to", at_least(0));
}

template <class V, IsStruct<SuiteVerdict> S>
void describe(V& v, S& s) {
  describe_origin(v, s);
  v("grade", s.grade, "evidence grade: `paired`, `paired_serial`, `stored`, `imported`, ...");
  v("baseline_sessions", s.baseline_sessions, "recorded sessions of a stored baseline, else 0",
    added(at_least(0)));
  v("candidate_sessions", s.candidate_sessions, "sessions measured against them, else 0",
    added(at_least(0)));
  v("baseline_head", s.baseline_head, "head of the baseline's chain; empty: not stored evidence",
    added());
  v("ledger_head", s.ledger_head, "head of the ledger of attempts; empty: no ledger", added());
  v("identical", s.identical, "both arms are one executable; nothing was measured");
  v("aa", s.aa, "declared A/A run");
  describe_result(v, s);
  v("policy", s.policy, "the policy in force");
  v("schedule", s.schedule, "seed and looks");
  v("machine", s.machine, "where it ran");
  v("arms", s.arms, "the executables");
  v("jobs", s.jobs, "jobs of the fleet that measured it; 0: one run", added(at_least(0)));
  v("layout_rounds", s.layout_rounds, "rounds over layouts; 0: one link of each arm",
    added(at_least(0)));
  v("columns", s.columns, "one per case and metric, worst first");
  describe_circumstances(v, s);
  v("trust", s.trust, "who may have written the arms", added());
  v("gated_cases", s.gated_cases, "cases with a gated comparison; 0: not counted",
    added(at_least(0)));
  v("checked_cases", s.checked_cases, "of them, those whose results somebody checks",
    added(at_least(0)));
  v("repository", s.repository, "repository of the change; empty: no change was named", added());
  v("change", s.change, "pull request or branch that was judged; empty: none was named", added());
  v("trusted_commit", s.trusted_commit,
    "full id of the commit that store and policy were read from; empty: as they lay there",
    added());
  v("session_digest", s.session_digest,
    "`sha256:<hex>` of the session file that was written with it; empty: none", added());
}

}  // namespace perfgate::inline evidence
