// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/files/parity_fields.h"

namespace perfgate::inline evidence {
namespace {

// Whether a deciding column lets the whole exit 0.
bool allows_pass(const ParityColumn& column) {
  return column.outcome == ParityStatus::kWin || column.outcome == ParityStatus::kSkipped ||
         column.outcome == ParityStatus::kNew ||
         (column.outcome == ParityStatus::kMatch && column.vacuous == false);
}

void check_effect(const Effect& effect, const std::string& pointer, const std::string& where) {
  if (effect.lo > effect.hi) contradict(where, pointer, "lo is above hi");
  if (effect.range_lo > effect.range_hi) contradict(where, pointer, "range_lo is above range_hi");
}

void check_parity_column(const ParityVerdict& verdict, const ParityColumn& column,
                         const std::string& prefix, const std::string& place,
                         const std::string& where) {
  const std::string pointer = prefix + place;
  check_effect(column.agent_human.effect, pointer + "/agent_human/effect", where);
  check_effect(column.human_baseline.effect, pointer + "/human_baseline/effect", where);
  check_effect(column.agent_baseline.effect, pointer + "/agent_baseline/effect", where);
  if (column.vacuous && column.outcome != ParityStatus::kMatch) {
    contradict(where, pointer + "/vacuous", "only a match can be vacuous");
  }
  if (verdict.exit == Exit::kPass && column.primary && column.gated && !allows_pass(column)) {
    contradict(where, prefix + "/exit",
               "is 0 although " + pointer + " is \"" + std::string(to_string(column.outcome)) +
                   "\"" + (column.vacuous.value_or(false) ? " and vacuous" : ""));
  }
}

// prefix: where the verdict stands in the file.
void CheckParityVerdict(const ParityVerdict& verdict, const std::string& prefix,
                        const std::string& where) {
  check_schedule(verdict.schedule, where);
  UniqueNames columns;
  for (std::size_t i = 0; i < verdict.columns.size(); ++i) {
    const ParityColumn& column = verdict.columns[i];
    const std::string place = "/columns/" + std::to_string(i);
    columns.add(where, prefix + place, column.case_name + " " + column.metric.name);
    check_parity_column(verdict, column, prefix, place, where);
  }
}

void CheckAgentSummary(const AgentSummary& summary, const ParityVerdict& verdict,
                       const std::string& pointer, const std::string& where) {
  require_size(where, pointer, verdict.arms.size(), kParityArms.size(), "arms of its verdict");
  if (summary.label != verdict.arms.back().label) {
    contradict(where, pointer + "/label", "the verdict is on " + verdict.arms.back().label);
  }
  if (summary.exit != verdict.exit) {
    contradict(where, pointer + "/exit", "the verdict on this agent has another");
  }
  const auto count = [&](ParityStatus outcome) {
    return static_cast<std::size_t>(std::count_if(
        verdict.columns.begin(), verdict.columns.end(), [outcome](const ParityColumn& column) {
          return column.primary && column.gated && column.outcome == outcome;
        }));
  };
  const std::pair<std::size_t, ParityStatus> counts[] = {{summary.wins, ParityStatus::kWin},
                                                         {summary.matches, ParityStatus::kMatch},
                                                         {summary.losses, ParityStatus::kLoss},
                                                         {summary.failed, ParityStatus::kFailed}};
  for (const auto& [stated, outcome] : counts) {
    if (stated == count(outcome)) continue;
    contradict(where, pointer,
               "says " + std::to_string(stated) + " " + std::string(to_string(outcome)) +
                   ", the verdict has " + std::to_string(count(outcome)));
  }
  if (summary.claimed_wins > summary.wins || summary.claimed_losses > summary.losses ||
      summary.vacuous > summary.matches) {
    contradict(where, pointer, "a part is larger than the whole");
  }
}

}  // namespace

std::string parity_to_json(const ParityVerdict& verdict) { return write_format(verdict); }

ParityVerdict parity_from_json(std::string_view text, const std::string& where) {
  auto verdict = read_format<ParityVerdict>(text, where);
  CheckParityVerdict(verdict, "", where);
  return verdict;
}

std::string parity_agents_to_json(const ParityAgents& agents) { return write_format(agents); }

ParityAgents parity_agents_from_json(std::string_view text, const std::string& where) {
  auto agents = read_format<ParityAgents>(text, where);
  const std::vector<AgentSummary>& summaries = agents.together.agents;
  if (agents.verdicts.empty()) contradict(where, "/verdicts", "there is no agent");
  require_size(where, "/agents", summaries.size(), agents.verdicts.size(), "one per verdict");
  UniqueNames labels;
  for (std::size_t i = 0; i < agents.verdicts.size(); ++i) {
    const std::string number = std::to_string(i);
    CheckParityVerdict(agents.verdicts[i], "/verdicts/" + number, where);
    CheckAgentSummary(summaries[i], agents.verdicts[i], "/agents/" + number, where);
    labels.add(where, "/agents/" + number + "/label", summaries[i].label);
    const bool passes = summaries[i].exit == Exit::kPass || summaries[i].exit == Exit::kSkipped;
    if (agents.together.exit == Exit::kPass && !passes) {
      contradict(where, "/exit", "is 0 although that of " + summaries[i].label + " is not");
    }
  }
  return agents;
}

ParityAgents ReadParityFile(const std::string& path) {
  const std::string text = ReadInputFile(path, kEvidenceFile);
  const nlohmann::json document = parse_strict_json(text, path);
  const bool is_one = document.is_object() && document.value("version", nlohmann::json()) ==
                                                  kFileFormat<ParityVerdict>.version;
  if (!is_one) return parity_agents_from_json(text, path);
  ParityAgents agents;
  agents.verdicts.push_back(parity_from_json(text, path));
  agents.together.exit = agents.verdicts.front().exit;
  agents.together.summary = agents.verdicts.front().summary;
  return agents;
}

ParityVerdict read_parity(const std::string& path) {
  return parity_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
