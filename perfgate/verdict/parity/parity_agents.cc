// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_agents.h"

#include <map>
#include <utility>

#include "perfgate/base/text/join.h"
#include "perfgate/stats/inference/multiplicity.h"
#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/parity/agent_view.h"
#include "perfgate/verdict/parity/parity_exit.h"
#include "perfgate/verdict/parity/parity_verdict.h"

namespace perfgate::inline verdict {
namespace {

constexpr double kClaimedP = 0.05;

const std::string& LabelOfAgent(const ParityVerdict& verdict) {
  return verdict.arms.at(kAgent).label;
}

bool DecidesItsCase(const ParityColumn& column) { return column.primary && column.gated; }

// Columns that carry a claim of their own, with p adjusted for looks alone.
void CollectClaims(const ParityVerdict& verdict, std::vector<AgentClaim>& claims) {
  for (const ParityColumn& column : verdict.columns) {
    if (!DecidesItsCase(column) || !column.p_win || !column.p_loss) continue;
    claims.push_back({LabelOfAgent(verdict), column.case_name, *column.p_win, *column.p_loss});
  }
}

// Holm over agents and cases, for wins and for losses.
void AdjustForAgents(std::vector<AgentClaim>& claims) {
  for (const auto member : {&AgentClaim::p_win, &AgentClaim::p_loss}) {
    std::vector<double> p;
    p.reserve(claims.size());
    for (const AgentClaim& claim : claims) p.push_back(claim.*member);
    const std::vector<double> adjusted = stats::holm(p);
    for (std::size_t i = 0; i < claims.size(); ++i) claims[i].*member = adjusted[i];
  }
}

void CountOutcome(const ParityColumn& column, AgentSummary& summary) {
  ++summary.cases;
  switch (column.outcome) {
    case ParityStatus::kWin:
      ++summary.wins;
      break;
    case ParityStatus::kMatch:
      ++summary.matches;
      summary.vacuous += column.vacuous.value_or(false) ? 1 : 0;
      break;
    case ParityStatus::kLoss:
      ++summary.losses;
      break;
    case ParityStatus::kFailed:
      ++summary.failed;
      break;
    case ParityStatus::kUnresolved:
      ++summary.unresolved;
      break;
    default:
      ++summary.others;
  }
}

// By case of one agent its claim.
class ClaimsOfAgent {
 public:
  ClaimsOfAgent(const std::vector<AgentClaim>& claims, const std::string& agent) {
    for (const AgentClaim& claim : claims) {
      if (claim.agent == agent) claims_.emplace(claim.case_name, &claim);
    }
  }

  const AgentClaim* Find(const std::string& case_name) const {
    const auto found = claims_.find(case_name);
    return found == claims_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, const AgentClaim*> claims_;
};

AgentSummary SummaryOfAgent(const ParityVerdict& verdict, const std::vector<AgentClaim>& claims) {
  AgentSummary summary;
  summary.label = LabelOfAgent(verdict);
  summary.exit = verdict.exit;
  const ClaimsOfAgent own(claims, summary.label);
  for (const ParityColumn& column : verdict.columns) {
    if (!DecidesItsCase(column)) continue;
    CountOutcome(column, summary);
    const AgentClaim* claim = own.Find(column.case_name);
    if (claim == nullptr) continue;
    const bool wins = column.outcome == ParityStatus::kWin && claim->p_win <= kClaimedP;
    const bool loses = column.outcome == ParityStatus::kLoss && claim->p_loss <= kClaimedP;
    summary.claimed_wins += wins ? 1 : 0;
    summary.claimed_losses += loses ? 1 : 0;
  }
  return summary;
}

// The first exit that some agent has, in the order in which exits apply.
Exit WorstExit(const std::vector<ParityVerdict>& verdicts) {
  constexpr Exit kOrder[] = {Exit::kInvalid,       Exit::kFailed,    Exit::kRegression,
                             Exit::kNotComparable, Exit::kSuspected, Exit::kInconclusive,
                             Exit::kPass,          Exit::kSkipped};
  for (const Exit exit : kOrder) {
    for (const ParityVerdict& verdict : verdicts) {
      if (verdict.exit == exit) return exit;
    }
  }
  return Exit::kInternal;
}

}  // namespace

ParityTogether TogetherOf(const std::vector<ParityVerdict>& verdicts,
                          std::vector<AgentClaim> claims) {
  ParityTogether together;
  together.exit = WorstExit(verdicts);
  for (const ParityVerdict& verdict : verdicts) {
    AppendItem(together.summary, LabelOfAgent(verdict) + ": " + verdict.summary, "; ");
    together.agents.push_back(SummaryOfAgent(verdict, claims));
  }
  together.claims = std::move(claims);
  return together;
}

ParityAgents DecideParityAgents(const Session& session, const std::string& primary_metric) {
  RequireParityArms(session);
  ParityAgents agents;
  std::vector<AgentClaim> claims;
  for (std::size_t agent = 0; agent < AgentCount(session); ++agent) {
    const bool alone = AgentCount(session) == 1;
    ParityVerdict& verdict = agents.verdicts.emplace_back(
        alone ? JudgeUnadjusted(session, primary_metric)
              : JudgeUnadjusted(ViewOfAgent(session, agent).session, primary_metric));
    CollectClaims(verdict, claims);
    AdjustAndConclude(verdict);
  }
  AdjustForAgents(claims);
  agents.together = TogetherOf(agents.verdicts, std::move(claims));
  return agents;
}

std::vector<bool> OpenCasesOfAgents(const Session& session, const std::string& primary_metric) {
  RequireParityArms(session);
  if (AgentCount(session) == 1) return open_parity_cases(session, primary_metric);
  std::vector<bool> open(session.cases.size(), false);
  for (std::size_t agent = 0; agent < AgentCount(session); ++agent) {
    const AgentView view = ViewOfAgent(session, agent);
    const std::vector<bool> of_agent = open_parity_cases(view.session, primary_metric);
    for (std::size_t c = 0; c < of_agent.size(); ++c) {
      if (of_agent[c]) open[view.cases[c]] = true;
    }
  }
  return open;
}

}  // namespace perfgate::inline verdict
