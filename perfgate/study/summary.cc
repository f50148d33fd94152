// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/summary.h"

#include <cmath>
#include <filesystem>
#include <span>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/text/join.h"
#include "perfgate/base/text/percent.h"
#include "perfgate/study/counts.h"
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

// Why an agent has no ordinary outcome; empty: it has one.
std::string WhyOf(const AgentRecord& agent) {
  if (agent.cases.empty()) return agent.reason;
  for (const CaseRecord& c : agent.cases) {
    if (!c.reason.empty()) return c.name + ": " + c.reason;
  }
  return {};
}

std::string LineOf(const TaskRecord& task, const AgentRecord& agent) {
  std::string text = task.id + "  " + agent.label + "  " + OutcomeText(agent);
  const std::string interval = IntervalOf(agent);
  if (!interval.empty()) text += "  " + interval + "  " + agent.trust;
  const std::string why = WhyOf(agent);
  if (!why.empty()) text += "  " + why;
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

// What is told of each task beside the counts.
struct Details {
  std::string ended{};    // arms without a result
  std::string changes{};  // records that were replaced
};

void Describe(const TaskRecord& task, Details& details) {
  for (const ArmRecord& arm : task.arms) {
    if (!HasEnded(arm)) continue;
    details.ended += "\n- " + task.id + ", " + arm.label + ": " +
                     std::string(to_string(arm.status)) + ": " + CellOf(arm.reason);
    if (!arm.log.empty()) details.ended += " (" + task.id + "/" + arm.log + ")";
    for (const LogLine& line : arm.lines) {
      details.ended += "\n  - line " + std::to_string(line.line) + ", " + line.kind + ": `" +
                       CellOf(line.text) + "`";
    }
  }
  for (const Change& change : task.changes) {
    details.changes += "\n- " + task.id + ": " + Join(change.changed) +
                       " changed, and the task was run again. Before: " + change.before;
  }
}

std::string RowOf(const TaskRecord& task, const AgentRecord& agent) {
  return "| " + task.id + " | " + agent.label + " | " + OutcomeText(agent) + " | " +
         IntervalOf(agent) + " | " + agent.trust + " | " +
         std::to_string(static_cast<int>(agent.exit)) + " | " + CellOf(WhyOf(agent)) + " |\n";
}

TaskRecord RecordOfTask(const std::string& output, const Task& task) {
  const std::string path = (fs::path(output) / task.id / "task.json").string();
  auto record = FindTask(path);
  if (!record) throw Error(Exit::kData, path + " cannot be read; run the same command again");
  return *std::move(record);
}

}  // namespace

StudyResult WriteSummary(const std::vector<Task>& tasks, const std::string& output,
                         const std::string& conditions) {
  const fs::path folder(output);
  AtomicFile population((folder / "population.json").string());
  AtomicFile results((folder / "results.json").string());
  AtomicFile report((folder / "report.md").string());
  Append(population,
         "{\n\"format\": \"perfgate-parity-commits/1\",\n\"arms\": [\"baseline\", "
         "\"human\", \"agent\"],\n\"commits\": [");
  Append(results,
         "{\n  \"format\": \"perfgate-parity-results\",\n  \"version\": 1,\n  \"tasks\": [");
  StudyResult result;
  StudyCounts counts;
  Details details;
  std::string rows;
  bool first_item = true;
  for (const Task& task : tasks) {
    const TaskRecord record = RecordOfTask(output, task);
    Append(results, (counts.tasks() == 0 ? "\n    " : ",\n    ") + TaskAsJson(record));
    counts.Add(record);
    Describe(record, details);
    for (const std::string& item : PopulationItems(record)) {
      Append(population, (first_item ? "\n" : ",\n") + item);
      first_item = false;
    }
    for (const AgentRecord& agent : record.agents) {
      result.lines.push_back(LineOf(record, agent));
      rows += RowOf(record, agent);
    }
    if (SeverityOfExit(record.exit) < SeverityOfExit(result.exit)) result.exit = record.exit;
  }
  const std::string exit = std::to_string(static_cast<int>(result.exit));
  Append(population, "\n]\n}\n");
  Append(results, "\n  ],\n  \"counts\": " + counts.Json() + ",\n  \"exit\": " + exit + "\n}\n");
  Append(report, "# Parity\n\n" + counts.Markdown() + "## Agents\n\nEach agent against the " +
                     "human of its task; + is slower. Exit " + exit + ". " + conditions +
                     "\n\n| task | agent | outcome | worst case | trust | exit | why |\n" +
                     "|---|---|---|---|---|---|---|\n" + rows);
  if (!details.ended.empty()) Append(report, "\n## Arms without a result\n" + details.ended + "\n");
  if (!details.changes.empty()) Append(report, "\n## Changes\n" + details.changes + "\n");
  population.Commit();
  results.Commit();
  report.Commit();
  result.lines.push_back(std::to_string(counts.tasks()) + " tasks: " + counts.OutcomesLine() +
                         ". Exit " + exit + ".");
  return result;
}

}  // namespace perfgate::study
