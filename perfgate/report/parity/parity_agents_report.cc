// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parity/parity_agents_report.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parity/parity_report.h"
#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/markdown.h"
#include "perfgate/report/text/text.h"
#include "perfgate/stats/estimate/proportion.h"

namespace perfgate::report {
namespace {

std::string ShareOfCases(std::size_t count, std::size_t n) {
  const stats::ProportionInterval share = stats::clopper_pearson(count, n);
  return std::to_string(count) + " of " + std::to_string(n) + " [" + format_share(share.lo) + ", " +
         format_share(share.hi) + "]";
}

// "3 cases: 1 win, 1 match (1 vacuous), 1 loss, 0 failed, 0 unresolved. Exit 10."
std::string NumbersOfAgent(const AgentSummary& agent) {
  std::string text = counted(static_cast<int>(agent.cases), "case") + ": " +
                     std::to_string(agent.wins) + " win, " + std::to_string(agent.matches) +
                     " match";
  if (agent.vacuous > 0) text += " (" + std::to_string(agent.vacuous) + " vacuous)";
  text += ", " + std::to_string(agent.losses) + " loss, " + std::to_string(agent.failed) +
          " failed, " + std::to_string(agent.unresolved) + " unresolved";
  if (agent.others > 0) text += ", " + std::to_string(agent.others) + " other";
  return text + ". Exit " + std::to_string(static_cast<int>(agent.exit));
}

bool HasClaims(const ParityAgents& agents) { return !agents.together.claims.empty(); }

std::string ClaimOfAgent(const AgentSummary& agent) {
  return agent.label + ": wins " + ShareOfCases(agent.claimed_wins, agent.cases) + ", losses " +
         ShareOfCases(agent.claimed_losses, agent.cases);
}

bool HasFact(const std::vector<Fact>& facts, const Fact& wanted) {
  return std::any_of(facts.begin(), facts.end(), [&](const Fact& fact) {
    return fact.label == wanted.label && fact.value == wanted.value;
  });
}

bool InEveryReport(const std::vector<CaseReport>& reports, const Fact& fact) {
  return std::all_of(reports.begin(), reports.end(),
                     [&](const CaseReport& report) { return HasFact(report.facts, fact); });
}

// One report per agent without what all share.
struct Parts {
  std::vector<CaseReport> agents;
  std::string_view how_to_read;
  std::vector<Fact> shared;
};

// A fact without a label is more of the one in front and stays with it.
Parts PartsOf(const ParityAgents& agents) {
  Parts parts;
  for (const ParityVerdict& verdict : agents.verdicts) {
    parts.agents.push_back(ParityTable(verdict));
    // What one agent claims alone would be read as if there were no other.
    std::erase_if(parts.agents.back().facts,
                  [&](const Fact& fact) { return HasClaims(agents) && fact.label == "Claim"; });
  }
  for (const Fact& fact : parts.agents.front().facts) {
    if (InEveryReport(parts.agents, fact)) parts.shared.push_back(fact);
  }
  parts.how_to_read = parts.agents.front().how_to_read;
  for (CaseReport& report : parts.agents) {
    report.how_to_read = {};
    std::erase_if(report.facts, [&](const Fact& fact) { return HasFact(parts.shared, fact); });
  }
  return parts;
}

// What all agents come to, and how it was measured.
std::vector<Fact> FactsOfAll(const ParityAgents& agents, const std::vector<Fact>& shared) {
  std::vector<Fact> facts;
  if (HasClaims(agents)) {
    for (const AgentSummary& agent : agents.together.agents) {
      facts.push_back({facts.empty() ? "Claim" : "", ClaimOfAgent(agent)});
    }
    facts.push_back({"", "after Holm's adjustment over all agents and cases; exact binomial 95 %"});
  }
  facts.insert(facts.end(), shared.begin(), shared.end());
  return facts;
}

std::string ConclusionOfAll(const ParityAgents& agents) {
  return "All agents: exit " + std::to_string(static_cast<int>(agents.together.exit)) +
         ", that of the worst.";
}

}  // namespace

std::string AgentsConsoleReport(const ParityAgents& agents, const ConsoleOptions& options) {
  if (agents.verdicts.size() == 1) return parity_console_report(agents.verdicts.front(), options);
  const Parts parts = PartsOf(agents);
  std::string text;
  for (std::size_t i = 0; i < parts.agents.size(); ++i) {
    CaseReport report = parts.agents[i];
    report.how_to_read = {};
    text +=
        escaped_ascii(agents.together.agents[i].label) + "\n" + ConsoleText(report, options) + "\n";
  }
  for (const AgentSummary& agent : agents.together.agents) {
    text += paragraph(escaped_ascii(agent.label + ": " + NumbersOfAgent(agent)));
  }
  text += paragraph(ConclusionOfAll(agents));
  text += fact_lines("Read", parts.how_to_read);
  return text + fact_list(FactsOfAll(agents, parts.shared));
}

std::string AgentsMarkdownReport(const ParityAgents& agents) {
  if (agents.verdicts.size() == 1) return parity_markdown_report(agents.verdicts.front());
  const Parts parts = PartsOf(agents);
  std::string text;
  for (std::size_t i = 0; i < parts.agents.size(); ++i) {
    text += "### " + markdown_text(agents.together.agents[i].label) + "\n\n" +
            MarkdownText(parts.agents[i]) + "\n";
  }
  text += "### All agents\n\n";
  for (const AgentSummary& agent : agents.together.agents) {
    text += "- " + markdown_text(agent.label + ": " + NumbersOfAgent(agent)) + "\n";
  }
  text += "\n" + markdown_text(ConclusionOfAll(agents)) + "\n\n" +
          markdown_text(parts.how_to_read) + "\n\n";
  std::vector<Fact> facts = FactsOfAll(agents, parts.shared);
  for (std::size_t i = 1; i < facts.size(); ++i) {
    if (facts[i].label.empty()) facts[i].label = facts[i - 1].label;
  }
  return text + markdown_details("claims, machine and warnings", facts);
}

}  // namespace perfgate::report
