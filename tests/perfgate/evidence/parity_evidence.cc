// SPDX-License-Identifier: Apache-2.0
// Parity verdicts: one small example with every field set, and random ones.
#include "tests/perfgate/evidence/random_values.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {
namespace {

double share(Random& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

ParityPair random_pair(Random& random, const ColumnVerdict& column) {
  return {.status = static_cast<ParityStatus>(pick(random, 0, 9)),
          .rounds = pick(random, 0, 40),
          .effect = column.effect,
          .reason = coin(random) ? random_text(random, 200) : ""};
}

ParityColumn random_parity_column(Random& random, const ColumnVerdict& made) {
  ParityColumn column;
  column.case_name = made.case_name;
  column.metric = made.metric;
  column.primary = coin(random);
  column.primary_why = random_text(random);
  column.gated = made.gated;
  column.margin = made.tolerance;
  column.outcome = static_cast<ParityStatus>(pick(random, 0, 9));
  if (column.outcome == ParityStatus::kMatch && coin(random)) column.vacuous = coin(random);
  column.claim = made.claim;
  column.reason = made.reason;
  column.point_rule = static_cast<PointRule>(pick(random, 0, 3));
  if (coin(random)) column.point_delta = random_double(random);
  column.agent_human = random_pair(random, made);
  column.human_baseline = random_pair(random, made);
  column.agent_baseline = random_pair(random, made);
  if (coin(random)) column.p_win = share(random);
  if (coin(random)) column.p_loss = share(random);
  column.baseline = made.baseline;
  column.human = made.candidate;
  if (coin(random)) column.agent = random_double(random);
  return column;
}

void name_arms(const std::string& agent, ParityVerdict& verdict) {
  verdict.arms.resize(kParityArms.size(), verdict.arms.empty() ? ArmInfo{} : verdict.arms.front());
  verdict.arms[0].label = "baseline";
  verdict.arms[1].label = "human";
  verdict.arms[2].label = agent;
}

std::size_t count_of(const ParityVerdict& verdict, ParityStatus outcome) {
  std::size_t count = 0;
  for (const ParityColumn& column : verdict.columns) {
    count += column.primary && column.gated && column.outcome == outcome ? 1 : 0;
  }
  return count;
}

AgentSummary summary_of(const ParityVerdict& verdict) {
  AgentSummary summary;
  summary.label = verdict.arms.back().label;
  summary.exit = verdict.exit;
  summary.cases = verdict.columns.size();
  summary.wins = count_of(verdict, ParityStatus::kWin);
  summary.matches = count_of(verdict, ParityStatus::kMatch);
  summary.losses = count_of(verdict, ParityStatus::kLoss);
  summary.failed = count_of(verdict, ParityStatus::kFailed);
  return summary;
}

}  // namespace

ParityAgents full_parity_agents() {
  ParityAgents agents;
  agents.verdicts = {full_parity()};
  agents.together.exit = agents.verdicts.front().exit;
  agents.together.summary = "agent: 1 match (1 vacuous)";
  agents.together.agents = {summary_of(agents.verdicts.front())};
  agents.together.agents.front().vacuous = 1;
  agents.together.claims = {{"agent", "sort/n:16384", 0.5, 0.75}};
  return agents;
}

ParityAgents random_parity_agents(Random& random) {
  ParityAgents agents;
  agents.together.exit = Exit::kInconclusive;
  agents.together.summary = random_text(random, 100);
  const int count = pick(random, 1, 4);
  for (int i = 0; i < count; ++i) {
    ParityVerdict& verdict = agents.verdicts.emplace_back(random_parity(random));
    name_arms("agent" + std::to_string(i), verdict);
    agents.together.agents.push_back(summary_of(verdict));
    agents.together.claims.push_back(
        {verdict.arms.back().label, random_text(random), share(random), share(random)});
  }
  return agents;
}

ParityVerdict full_parity() {
  const SuiteVerdict verdict = full_verdict();
  ParityVerdict parity;
  parity.session_id = verdict.session_id;
  parity.suite = verdict.suite;
  parity.tool = verdict.tool;
  parity.started = verdict.started;
  parity.complete = true;
  parity.grade = "imported";
  parity.exit = Exit::kInconclusive;
  parity.summary = "1 match (1 vacuous)";
  parity.rounds = 10;
  parity.wall_s = 1.5;
  parity.timed_s = 0.75;
  parity.policy = verdict.policy;
  parity.schedule = verdict.schedule;
  parity.machine = verdict.machine;
  for (const std::string_view label : kParityArms) {
    parity.arms.push_back(verdict.arms[0]);
    parity.arms.back().label = label;
  }
  ParityColumn column;
  column.case_name = "sort/n:16384";
  column.metric = verdict.columns[0].metric;
  column.primary = true;
  column.primary_why = "time_of_the_case";
  column.gated = true;
  column.margin = 0.05;
  column.outcome = ParityStatus::kMatch;
  column.vacuous = true;
  column.claim = Claim::kParity;
  column.reason = "none";
  column.point_rule = PointRule::kMatch;
  column.point_delta = 0.01;
  column.agent_human = {.status = ParityStatus::kMatch,
                        .rounds = 10,
                        .effect = {.estimate = 0.01,
                                   .lo = -0.01,
                                   .hi = 0.02,
                                   .range_lo = -0.02,
                                   .range_hi = 0.03,
                                   .range_confidence = 0.9},
                        .reason = "none"};
  column.human_baseline = column.agent_human;
  column.agent_baseline = column.agent_human;
  column.p_win = 0.5;
  column.p_loss = 0.75;
  column.baseline = 0.0012;
  column.human = 0.0011;
  column.agent = 0.00111;
  parity.columns = {column};
  parity.conflicts = {"sort: real_time (primary) says match, allocs says loss"};
  parity.warnings = verdict.warnings;
  parity.conditions = verdict.conditions;
  parity.cpus = {2};
  return parity;
}

ParityVerdict random_parity(Random& random) {
  const SuiteVerdict verdict = random_verdict(random);
  ParityVerdict parity;
  parity.session_id = verdict.session_id;
  parity.suite = verdict.suite;
  parity.tool = verdict.tool;
  parity.started = verdict.started;
  parity.complete = coin(random);
  parity.exit = Exit::kInconclusive;
  parity.summary = random_text(random, 100);
  parity.rounds = verdict.rounds;
  parity.wall_s = verdict.wall_s;
  parity.timed_s = verdict.timed_s;
  parity.policy = verdict.policy;
  parity.schedule = verdict.schedule;
  parity.machine = verdict.machine;
  parity.arms = verdict.arms;
  for (const ColumnVerdict& column : verdict.columns) {
    parity.columns.push_back(random_parity_column(random, column));
  }
  if (coin(random)) parity.conflicts = {random_text(random, 100)};
  parity.warnings = verdict.warnings;
  parity.conditions = verdict.conditions;
  parity.cpus = verdict.cpus;
  return parity;
}

}  // namespace perfgate::sample
