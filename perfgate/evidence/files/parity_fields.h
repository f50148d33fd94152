// SPDX-License-Identifier: Apache-2.0
// parity_fields.h: the fields of a parity verdict and of everything inside it.
#pragma once

#include "perfgate/base/json/field_rule.h"
#include "perfgate/evidence/files/session_fields.h"
#include "perfgate/evidence/files/verdict_fields.h"
#include "perfgate/evidence/parity.h"

namespace perfgate::inline evidence {

template <class V, IsStruct<ParityPair> P>
void describe(V& v, P& p) {
  v("status", p.status, "outcome of the second arm against the first, within the margin");
  v("rounds", p.rounds, "rounds that it rests on", at_least(0));
  v("effect", p.effect, "the second arm against the first");
  v("reason", p.reason, "why the two do not compare; empty where they do");
}

template <class V, IsStruct<ParityColumn> C>
void describe(V& v, C& c) {
  v("case_name", c.case_name, "canonical name of the case");
  v("metric", c.metric, "what was compared");
  v("primary", c.primary, "this metric decides the case; others are shown");
  v("primary_why", c.primary_why, "why this metric is the primary one; empty: it is not");
  v("gated", c.gated, "false: shown, does not count");
  v("margin", c.margin, "difference within which two arms match, as `effect`", at_least(0));
  v("outcome", c.outcome, "what perfgate concluded of the agent against the human");
  v("vacuous", c.vacuous,
    "of a match: the human is within the margin of the baseline too, so that it proves nothing; "
    "null: no match, or not known");
  v("claim", c.claim, "how strong a statement the evidence carries");
  v("reason", c.reason, "named reason and its detail; empty for ordinary outcomes");
  v("point_rule", c.point_rule, "label of the 5 % point rule on the medians; no evidence");
  v("point_delta", c.point_delta,
    "agent against human by their medians, fraction, positive is better; null: none", kAbsent);
  v("agent_human", c.agent_human, "the agent against the human: decides");
  v("human_baseline", c.human_baseline, "the human against the baseline");
  v("agent_baseline", c.agent_baseline, "the agent against the baseline");
  v("p_win", c.p_win, "p of a win, adjusted for looks and for the primary metrics of all cases",
    between(0, 1));
  v("p_loss", c.p_loss, "p of a loss, likewise", between(0, 1));
  v("baseline", c.baseline, "median over rounds, in the metric's unit; null: none", kAbsent);
  v("human", c.human, "median over rounds, in the metric's unit; null: none", kAbsent);
  v("agent", c.agent, "median over rounds, in the metric's unit; null: none", kAbsent);
}

template <class V, IsStruct<ParityVerdict> S>
void describe(V& v, S& s) {
  describe_origin(v, s);
  v("grade", s.grade, "evidence grade: `paired`, `stored`, `imported`, `aggregate`", added());
  describe_result(v, s);
  v("policy", s.policy, "the policy in force; its tolerance is the margin");
  v("schedule", s.schedule, "seed and looks");
  v("machine", s.machine, "where it ran");
  v("arms", s.arms, "the executables: baseline, human, agent");
  v("columns", s.columns, "one per case and metric, worst first");
  v("conflicts", s.conflicts, "metrics that say otherwise than the primary one of their case");
  describe_circumstances(v, s);
  v("trust", s.trust, "who may have written the arms", added());
}

template <class V, IsStruct<AgentSummary> S>
void describe(V& v, S& s) {
  v("label", s.label, "the agent's arm");
  v("exit", s.exit, "exit code of the verdict on this agent alone");
  v("cases", s.cases, "cases that a gated, primary metric decides; outcomes add up to it");
  v("wins", s.wins, "cases won");
  v("matches", s.matches, "cases matched");
  v("vacuous", s.vacuous, "of the matches: the human has no effect either");
  v("losses", s.losses, "cases lost");
  v("failed", s.failed, "cases in which the agent's version failed");
  v("unresolved", s.unresolved, "cases that stayed open");
  v("others", s.others, "cases of every other outcome");
  v("claimed_wins", s.claimed_wins, "wins of p <= 0.05, adjusted over agents and cases");
  v("claimed_losses", s.claimed_losses, "losses of p <= 0.05, adjusted over agents and cases");
}

template <class V, IsStruct<AgentClaim> C>
void describe(V& v, C& c) {
  v("agent", c.agent, "label of the agent's arm");
  v("case_name", c.case_name, "canonical name of the case");
  v("p_win", c.p_win, "p of a win, adjusted for looks, and by Holm over agents and cases",
    between(0, 1));
  v("p_loss", c.p_loss, "p of a loss, likewise", between(0, 1));
}

template <class V, IsStruct<ParityAgents> A>
void describe(V& v, A& a) {
  v("exit", a.together.exit, "exit code: the worst of all agents");
  v("summary", a.together.summary, "one sentence");
  v("agents", a.together.agents, "one per agent, in the order of the verdicts");
  v("claims", a.together.claims, "evidence for wins and losses among all agents and cases");
  v("verdicts", a.verdicts, "one per agent, each as in a file of version 1");
}

}  // namespace perfgate::inline evidence
