// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/summary.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <span>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/text/join.h"
#include "perfgate/base/text/percent.h"
#include "perfgate/study/measure_arms.h"
#include "perfgate/study/population.h"
#include "perfgate/study/records.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

void Append(AtomicFile& file, std::string_view text) {
  file.Write(std::as_bytes(std::span(text.data(), text.size())));
}

// "+1.25 % [-0.10 %, +2.60 %]": positive is slower than the human.
std::string IntervalOf(const AgentRecord& agent) {
  if (agent.cases.empty() || !std::isfinite(agent.cases.front().estimate)) return "";
  const CaseRecord& worst = agent.cases.front();
  const auto percent = [](double log_ratio) { return SignedPercent(std::expm1(log_ratio)); };
  std::string text = percent(worst.estimate);
  if (std::isfinite(worst.lo) && std::isfinite(worst.hi)) {
    text += " [" + percent(worst.lo) + ", " + percent(worst.hi) + "]";
  }
  return text;
}

std::string LineOf(const TaskRecord& task, const AgentRecord& agent) {
  std::string text = task.id + "  " + agent.label + "  " + std::string(to_string(agent.outcome));
  if (agent.vacuous) text += " (vacuous)";
  const std::string interval = IntervalOf(agent);
  if (!interval.empty()) text += "  " + interval + "  " + agent.trust;
  if (agent.cases.empty()) text += "  " + agent.reason;
  return text;
}

// Text within a table of Markdown.
std::string CellOf(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

struct Totals {
  std::map<std::string, int> outcomes{};
  std::map<std::string, int> states{};
  std::string changes{};
  std::string details{};
  std::size_t tasks = 0;
};

void CountTask(const TaskRecord& task, Totals& totals) {
  ++totals.tasks;
  for (const AgentRecord& agent : task.agents) {
    ++totals.outcomes[std::string(to_string(agent.outcome)) + (agent.vacuous ? " (vacuous)" : "")];
  }
  for (const ArmRecord& arm : task.arms) {
    ++totals.states[std::string(to_string(arm.status))];
    if (arm.status == ArmState::kMeasured || arm.status == ArmState::kReady) continue;
    totals.details += "\n- " + task.id + ", " + arm.label + ": " +
                      std::string(to_string(arm.status)) + ": " + CellOf(arm.reason);
    if (!arm.log.empty()) totals.details += " (" + task.id + "/" + arm.log + ")";
    for (const LogLine& line : arm.lines) {
      totals.details += "\n  - line " + std::to_string(line.line) + ", " + line.kind + ": `" +
                        CellOf(line.text) + "`";
    }
  }
  for (const Change& change : task.changes) {
    totals.changes += "\n- " + task.id + ": " + Join(change.changed) +
                      " changed, and the task was run again. Before: " + change.before;
  }
}

std::string CountsText(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [word, count] : counts) AppendItem(text, std::to_string(count) + " " + word);
  return text;
}

TaskRecord RecordOfTask(const std::string& output, const Task& task) {
  const std::string path = (fs::path(output) / task.id / "task.json").string();
  auto record = FindTask(path);
  if (!record) throw Error(Exit::kData, path + " cannot be read; run the same command again");
  return *std::move(record);
}

}  // namespace

StudyResult WriteSummary(const std::vector<Task>& tasks, const std::string& output) {
  const fs::path folder(output);
  AtomicFile population((folder / "population.json").string());
  AtomicFile results((folder / "results.json").string());
  AtomicFile report((folder / "report.md").string());
  Append(population,
         "{\n\"format\": \"perfgate-parity-commits/1\",\n\"arms\": [\"baseline\", "
         "\"human\", \"agent\"],\n\"commits\": [");
  Append(results,
         "{\n  \"format\": \"perfgate-parity-results\",\n  \"version\": 1,\n  \"tasks\": [");
  Append(report,
         "# Parity\n\nEach agent against the human; + is slower.\n\n"
         "| task | agent | outcome | worst case | trust | exit |\n|---|---|---|---|---|---|\n");
  StudyResult result;
  Totals totals;
  bool first_item = true;
  for (const Task& task : tasks) {
    const TaskRecord record = RecordOfTask(output, task);
    Append(results, (totals.tasks == 0 ? "\n    " : ",\n    ") + TaskAsJson(record));
    CountTask(record, totals);
    for (const std::string& item : PopulationItems(record)) {
      Append(population, (first_item ? "\n" : ",\n") + item);
      first_item = false;
    }
    for (const AgentRecord& agent : record.agents) {
      result.lines.push_back(LineOf(record, agent));
      Append(report, "| " + record.id + " | " + agent.label + " | " +
                         std::string(to_string(agent.outcome)) +
                         (agent.vacuous ? " (vacuous)" : "") + " | " + IntervalOf(agent) + " | " +
                         agent.trust + " | " + std::to_string(static_cast<int>(agent.exit)) +
                         " |\n");
    }
    if (SeverityOfExit(record.exit) < SeverityOfExit(result.exit)) result.exit = record.exit;
  }
  const std::string exit = std::to_string(static_cast<int>(result.exit));
  Append(population, "\n]\n}\n");
  Append(results, "\n  ],\n  \"exit\": " + exit + "\n}\n");
  Append(report, "\nOutcomes: " + CountsText(totals.outcomes) +
                     ".\n\nArms: " + CountsText(totals.states) + ".\n\nExit " + exit + ".\n");
  if (!totals.details.empty())
    Append(report, "\n## Arms without a result\n" + totals.details + "\n");
  if (!totals.changes.empty()) Append(report, "\n## Changes\n" + totals.changes + "\n");
  population.Commit();
  results.Commit();
  report.Commit();
  result.lines.push_back(std::to_string(totals.tasks) + " tasks: " + CountsText(totals.outcomes) +
                         ". Exit " + exit + ".");
  return result;
}

}  // namespace perfgate::study
