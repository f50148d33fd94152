// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/measure_arms.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/experiments/parity.h"

namespace perfgate::study {
namespace {

constexpr std::array kSeverities = {
    Exit::kInternal,   Exit::kUsage,         Exit::kData,      Exit::kInvalid,      Exit::kFailed,
    Exit::kRegression, Exit::kNotComparable, Exit::kSuspected, Exit::kInconclusive, Exit::kPass};

gate::ParityRequest RequestOf(const Task& task, const MeasuredArms& arms,
                              std::span<const AgentExecutable> agents,
                              const gate::MeasureRequest& conditions) {
  gate::ParityRequest request;
  request.baseline = arms.baseline;
  request.no_baseline = arms.no_baseline;
  request.human = arms.human;
  for (const AgentExecutable& agent : agents) request.agents.push_back({agent.label, agent.path});
  request.arguments = task.arguments;
  request.margin = task.margin;
  request.primary = task.primary;
  request.measure = conditions;
  request.measure.policy.file = task.policy;
  request.measure.policy.overrides.slice_s = task.slice_s;
  request.measure.policy.overrides.pairs = task.pairs;
  request.measure.policy.overrides.rounds = task.rounds;
  request.measure.policy.overrides.budget_s = task.budget_s;
  request.measure.policy.overrides.filter = task.filter;
  request.measure.suite = task.id;
  request.measure.memory_bytes = static_cast<std::uint64_t>(task.limits.MemoryBytes());
  return request;
}

CaseRecord CaseOf(const ParityColumn& column) {
  return {.name = column.case_name,
          .metric = column.metric.name,
          .unit = column.metric.unit,
          .better = std::string(to_string(column.metric.direction)),
          .outcome = column.outcome,
          .vacuous = column.vacuous,
          .rounds = column.agent_human.rounds,
          .estimate = column.agent_human.effect.estimate,
          .lo = column.agent_human.effect.lo,
          .hi = column.agent_human.effect.hi,
          .baseline = column.baseline,
          .human = column.human,
          .agent = column.agent,
          .reason = column.reason};
}

// One word for all cases of an agent: the worst of them, as exits have it.
ParityStatus OutcomeOf(Exit exit, const std::vector<CaseRecord>& cases) {
  const auto all = [&](ParityStatus status) {
    return !cases.empty() && std::all_of(cases.begin(), cases.end(),
                                         [&](const CaseRecord& c) { return c.outcome == status; });
  };
  switch (exit) {
    case Exit::kInvalid:
      return ParityStatus::kInvalid;
    case Exit::kFailed:
      return ParityStatus::kFailed;
    case Exit::kRegression:
      return ParityStatus::kLoss;
    case Exit::kSuspected:
      return ParityStatus::kSuspected;
    case Exit::kNotComparable:
      // A match whose worth nobody knows, as there is no baseline, is one all the same.
      if (all(ParityStatus::kMatch)) return ParityStatus::kMatch;
      return ParityStatus::kNotComparable;
    case Exit::kSkipped:
      return ParityStatus::kSkipped;
    default:
      break;
  }
  const auto any = [&](ParityStatus status) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const CaseRecord& c) { return c.outcome == status; });
  };
  if (any(ParityStatus::kUnresolved)) return ParityStatus::kUnresolved;
  if (any(ParityStatus::kMatch)) return ParityStatus::kMatch;
  return exit == Exit::kPass ? ParityStatus::kWin : ParityStatus::kUnresolved;
}

AgentRecord RecordOfVerdict(const std::string& label, const ParityVerdict& verdict) {
  AgentRecord record{.label = label};
  for (const ParityColumn& column : verdict.columns) {
    if (column.primary && column.gated) record.cases.push_back(CaseOf(column));
  }
  record.exit = verdict.exit;
  record.outcome = OutcomeOf(verdict.exit, record.cases);
  record.vacuous = record.outcome == ParityStatus::kMatch &&
                   std::any_of(record.cases.begin(), record.cases.end(),
                               [](const CaseRecord& c) { return c.vacuous.value_or(false); });
  record.reason = verdict.summary;
  record.trust = std::string(to_string(verdict.trust.level));
  return record;
}

AgentRecord RecordOfError(const std::string& label, const Error& error) {
  AgentRecord record{.label = label, .exit = error.exit(), .reason = error.what()};
  record.outcome = OutcomeOf(error.exit(), {});
  if (error.exit() == Exit::kInternal || error.exit() == Exit::kUsage ||
      error.exit() == Exit::kData) {
    record.outcome = ParityStatus::kNotComparable;
  }
  return record;
}

// One session of all these agents.
std::vector<AgentRecord> MeasureTogether(const Task& task, const MeasuredArms& arms,
                                         std::span<const AgentExecutable> agents,
                                         const std::string& task_folder,
                                         const gate::MeasureRequest& conditions,
                                         gate::GateDisplay& display) {
  gate::ParityRequest request = RequestOf(task, arms, agents, conditions);
  const std::string session = agents.front().label + ".session.json";
  request.measure.session = task_folder + "/" + session;
  const gate::ParityResult result = gate::RunParity(request, display);
  throw_if_interrupted();
  std::vector<AgentRecord> records;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    AgentRecord record = RecordOfVerdict(agents[i].label, result.verdicts[i]);
    record.session = session;
    record.verdict = agents[i].label + ".verdict.json";
    write_file_atomically(task_folder + "/" + record.verdict, parity_to_json(result.verdicts[i]));
    records.push_back(std::move(record));
  }
  return records;
}

// Where one agent keeps the session from beginning, the others are measured without it.
std::vector<AgentRecord> MeasureAgents(const Task& task, const MeasuredArms& arms,
                                       std::span<const AgentExecutable> agents,
                                       const std::string& task_folder,
                                       const gate::MeasureRequest& conditions,
                                       gate::GateDisplay& display) {
  try {
    return MeasureTogether(task, arms, agents, task_folder, conditions, display);
  } catch (const Error& error) {
    throw_if_interrupted();
    if (agents.size() == 1) return {RecordOfError(agents.front().label, error)};
  }
  std::vector<AgentRecord> records;
  for (const AgentExecutable& agent : agents) {
    const auto one = MeasureAgents(task, arms, {&agent, 1}, task_folder, conditions, display);
    records.push_back(one.front());
  }
  return records;
}

}  // namespace

std::vector<AgentRecord> MeasureArms(const Task& task, const MeasuredArms& arms,
                                     const std::string& task_folder,
                                     const gate::MeasureRequest& conditions,
                                     gate::GateDisplay& display) {
  std::vector<AgentRecord> records;
  const std::span<const AgentExecutable> all = arms.agents;
  for (std::size_t first = 0; first < all.size(); first += gate::kMostAgents) {
    const auto agents = all.subspan(first, std::min(gate::kMostAgents, all.size() - first));
    for (AgentRecord& record :
         MeasureAgents(task, arms, agents, task_folder, conditions, display)) {
      records.push_back(std::move(record));
    }
  }
  return records;
}

std::size_t SeverityOfExit(Exit exit) {
  const auto* found = std::find(kSeverities.begin(), kSeverities.end(), exit);
  return static_cast<std::size_t>(found - kSeverities.begin());
}

}  // namespace perfgate::study
