// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/counts.h"

#include <fmt/format.h>

#include "perfgate/base/text/join.h"

namespace perfgate::study {
namespace {

constexpr const char* kSumOfRows =
    "\n<!-- derived: op=sum_of_rows, row=Total, of=[\"*\"], columns=[{}], exact=true -->\n";

// Of an arm that has a result in the log's own words, else of one that has none.
std::string CauseOf(const ArmRecord& arm) {
  const bool told = !arm.lines.empty() && arm.lines.front().kind != "last";
  return std::string(to_string(arm.status)) + ": " +
         (told ? arm.lines.front().kind : "the log names no known cause");
}

std::string Share(std::size_t count, std::size_t n) {
  if (n == 0) return "0/0";
  return fmt::format("{}/{} ({:.1f} %)", count, n,
                     100.0 * static_cast<double>(count) / static_cast<double>(n));
}

std::size_t CountOf(const std::map<ParityStatus, std::size_t>& outcomes, ParityStatus status) {
  const auto found = outcomes.find(status);
  return found == outcomes.end() ? 0 : found->second;
}

}  // namespace

std::string OutcomeText(const AgentRecord& agent) {
  return std::string(to_string(agent.outcome)) + (agent.vacuous ? " (vacuous)" : "");
}

bool HasEnded(const ArmRecord& arm) {
  return arm.status != ArmState::kMeasured && arm.status != ArmState::kReady;
}

void StudyCounts::Add(const TaskRecord& task) {
  ++tasks_;
  for (const AgentRecord& agent : task.agents) {
    ++agents_;
    ++outcomes_[agent.outcome];
    vacuous_ += agent.vacuous ? 1 : 0;
  }
  for (std::size_t i = 0; i < task.arms.size(); ++i) {
    const ArmRecord& arm = task.arms[i];
    const std::size_t role = std::min<std::size_t>(i, 2);
    ++statuses_[std::string(to_string(arm.status))][role];
    if (HasEnded(arm)) ++causes_[CauseOf(arm)][role];
  }
}

std::string StudyCounts::OutcomesLine() const {
  std::map<std::string, std::size_t> words;
  for (const auto& [status, count] : outcomes_) words[std::string(to_string(status))] = count;
  const auto match = words.find("match");
  if (vacuous_ > 0 && match != words.end()) {
    words["match (vacuous)"] = vacuous_;
    match->second -= vacuous_;
    if (match->second == 0) words.erase(match);
  }
  std::string text;
  for (const auto& [word, count] : words) AppendItem(text, fmt::format("{} {}", count, word));
  return text;
}

std::string StudyCounts::OutcomesSection() const {
  const std::size_t win = CountOf(outcomes_, ParityStatus::kWin);
  const std::size_t match = CountOf(outcomes_, ParityStatus::kMatch);
  const std::size_t loss = CountOf(outcomes_, ParityStatus::kLoss);
  const std::size_t failed = CountOf(outcomes_, ParityStatus::kFailed);
  std::vector<std::string> parts;
  for (const auto& [status, count] : outcomes_) {
    parts.push_back(fmt::format("{} {}", to_string(status), count));
  }
  const std::size_t decided = win + match + loss + failed;
  return fmt::format(
      "## Summary\n\nAgents: {} = {}, in {} tasks.\n\n"
      "Of the {} agents that win, match, lose or fail, {} win, {} match, {} lose and {} fail. "
      "Matches that prove nothing, because the human is within the margin of the baseline too: "
      "{}.\n\n",
      Join(parts, " + "), agents_, tasks_, decided, Share(win, decided), Share(match, decided),
      Share(loss, decided), Share(failed, decided), Share(vacuous_, match));
}

std::string StudyCounts::ViewsSection() const {
  const auto of = [&](ParityStatus status) { return CountOf(outcomes_, status); };
  const std::size_t win = of(ParityStatus::kWin);
  const std::size_t match = of(ParityStatus::kMatch);
  const std::size_t loss = of(ParityStatus::kLoss);
  const std::size_t failed = of(ParityStatus::kFailed);
  const std::size_t none = agents_ - win - match - loss - failed;
  std::string text =
      "## Views\n\n| view | win | match | loss | failed | no verdict | n | left out | agents | "
      "what "
      "it holds |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";
  const auto row = [&](const char* name, std::size_t matches, std::size_t failures,
                       std::size_t others, const char* what) {
    const std::size_t n = win + matches + loss + failures + others;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, win, matches,
                        loss, failures, others, n, agents_ - n, agents_, what);
  };
  row("all", match, failed, none, "every agent");
  row("with a verdict", match, failed, 0, "agents that win, match, lose or fail");
  row("measured", match, 0, 0, "agents that win, match or lose");
  row("effective", match - vacuous_, 0, 0, "the same without matches that prove nothing");
  return text +
         "\n<!-- derived: op=sum, out=n, args=[\"win\", \"match\", \"loss\", \"failed\", \"no "
         "verdict\"], exact=true -->\n<!-- derived: op=sum, out=agents, args=[\"n\", \"left "
         "out\"], "
         "exact=true -->\n\n";
}

std::string StudyCounts::RolesSection(const std::string& title, const std::string& about,
                                      const std::string& head,
                                      const std::map<std::string, ByRole>& rows) {
  std::string text = fmt::format(
      "## {}\n\n{}\n\n| {} | baseline | human | agent | arms |\n|---|---:|---:|---:|---:|\n", title,
      about, head);
  ByRole sum{};
  const auto line = [&](const std::string& name, const ByRole& counts) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", name, counts[0], counts[1], counts[2],
                        counts[0] + counts[1] + counts[2]);
  };
  for (const auto& [name, counts] : rows) {
    line(name, counts);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += counts[i];
  }
  line("Total", sum);
  return text +
         "\n<!-- derived: op=sum, out=arms, args=[\"baseline\", \"human\", \"agent\"], "
         "exact=true -->" +
         fmt::format(kSumOfRows, R"("baseline", "human", "agent", "arms")") + "\n";
}

std::string StudyCounts::Markdown() const {
  std::string text =
      OutcomesSection() + ViewsSection() +
      RolesSection("Arms by status", "Every arm of every task once.", "status", statuses_);
  if (!causes_.empty()) {
    text += RolesSection("Arms without a result by cause",
                         "The status, and what the first telling line of the log is about.",
                         "cause", causes_);
  }
  return text;
}

std::string StudyCounts::Json() const {
  std::string outcomes;
  for (const auto& [status, count] : outcomes_) {
    AppendItem(outcomes, fmt::format("\"{}\": {}", to_string(status), count));
  }
  std::string arms;
  for (const auto& [status, counts] : statuses_) {
    AppendItem(arms, fmt::format(R"("{}": {{"baseline": {}, "human": {}, "agent": {}}})", status,
                                 counts[0], counts[1], counts[2]));
  }
  return fmt::format(
      R"({{"tasks": {}, "agents": {}, "vacuous": {}, "outcomes": {{{}}}, "arms": {{{}}}}})", tasks_,
      agents_, vacuous_, outcomes, arms);
}

}  // namespace perfgate::study
